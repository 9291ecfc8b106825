import { randomUUID } from 'node:crypto';
import type { FunctionConfig } from './function-config.ts';
import { traceId } from './function-environment.ts';
import { type Instance, type Report, timedOut } from './instance.ts';
import { refusalOfAnswer } from './payload-limits.ts';
import type { Fields } from './wire.ts';

/** The answer of a function. */
export type Answer = { payload: string; functionError?: 'Unhandled' };

/** Has an instance handle one event. */
export async function runOnce(config: FunctionConfig, instance: Instance, event: string): Promise<Answer> {
  const requestId = randomUUID();
  const init = await instance.ready;
  if (init) {
    instance.dead = true;
    return failure(init);
  }
  if (instance.dead) return failure(exited(requestId, 'exit status 1'));
  const { worker } = instance;
  const { limitMs } = config;
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      instance.dead = true;
      finish(failure(timedOut(requestId, config.timeoutSeconds)));
    }, limitMs);
    const onMessage = (report: Report) =>
      finish(report.error ? failure(report.error) : success(report.payload));
    const onExit = (code: number) => {
      instance.dead = true;
      finish(failure(exited(requestId, `exit status ${code}`)));
    };
    const onError = (error: Error) => {
      instance.dead = true;
      finish(failure({ errorType: error.name, errorMessage: error.message, trace: [] }));
    };
    worker.once('message', onMessage).once('exit', onExit).once('error', onError);
    instance.thaw();
    worker.postMessage({
      event,
      requestId,
      deadline: Date.now() + limitMs,
      functionName: config.name,
      functionArn: config.arn,
      traceId: traceId(),
    });
    function finish(answer: Answer): void {
      clearTimeout(timer);
      worker.off('message', onMessage).off('exit', onExit).off('error', onError);
      resolve(answer);
    }
  });
}

function success(payload = 'null'): Answer {
  const refusal = refusalOfAnswer(payload);
  return refusal ? failure(refusal) : { payload };
}

function failure(error: Fields): Answer {
  return { payload: JSON.stringify(error), functionError: 'Unhandled' };
}

function exited(requestId: string, status: string): Fields {
  return {
    errorType: 'Runtime.ExitError',
    errorMessage: `RequestId: ${requestId} Error: Runtime exited with error: ${status}`,
  };
}
