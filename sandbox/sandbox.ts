import { startAnvil } from './chain/anvil.ts';
import { startController } from './chain/controller.ts';
import { deploy } from './chain/deploy.ts';
import { type BootOptions, boot, type Cloud } from './cloud/boot.ts';
import { SANDBOX_API_KEY, seed } from './seed.ts';
import { synthesize } from './synthesize.ts';

export const STACK = 'OnrampSandbox';

/** docs/decisions.md, "The sandbox's patience". */
export const PATIENCE = 5;

/** Partners and simulators listen on this machine, which no template may allow. */
export const LOCAL_ENVIRONMENT = { WEBHOOKS_ALLOW_LOOPBACK: 'true' };

export type SandboxOptions = {
  /** 0 takes a free port. */
  port?: number;
  chainPort?: number;
  /** Where AWS's services answer, if it is free. */
  cloudPort?: number;
  apiKey?: string;
  /** What a minute of the waits lasts. */
  minuteSeconds?: number;
  /** What the functions print. */
  onLog?: BootOptions['onLog'];
  /** How many instances of functions may be idle at once. Fewer take less memory, and more CPU for starts. */
  mostIdle?: number;
  /** The chain's time between blocks; without it four blocks a second. */
  blockSeconds?: 'lazy';
  /** Sees every call to AWS, and may make it fail. */
  faults?: BootOptions['faults'];
  /** Takes the directory of the synthesized assembly to the one that is booted, such as a changed copy. */
  changeAssembly?: (assembly: string) => string;
  /** Puts something in front of the chain's RPC: the service is told the address that this answers. */
  rpcProxy?: (rpcUrl: string) => Promise<string>;
};

export type Sandbox = {
  /** Of the API, without a path. */
  url: string;
  rpcUrl: string;
  apiKey: string;
  cloud: Cloud;
  stop(): Promise<void>;
};

/** The whole service on this machine: the synthesized template on local emulators, and a chain beside it. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { port = 0, chainPort = 0, minuteSeconds = 60, apiKey = SANDBOX_API_KEY } = options;
  const { changeAssembly = (same) => same, rpcProxy = async (same) => same } = options;
  const stops: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const each of stops.splice(0).reverse()) await each();
  };
  try {
    const [anvil, assembly] = await Promise.all([
      startAnvil({ port: chainPort, blockSeconds: options.blockSeconds }).then((started) => {
        stops.push(started.stop);
        return started;
      }),
      synthesize({ minuteSeconds, patience: PATIENCE }).then(changeAssembly),
    ]);
    const [cloud] = await Promise.all([
      boot({
        assembly,
        stackName: STACK,
        apiPorts: { 'onramp-sandbox': port },
        port: options.cloudPort,
        minuteMs: minuteSeconds * 1000,
        patience: PATIENCE,
        environment: LOCAL_ENVIRONMENT,
        onLog: options.onLog,
        mostIdle: options.mostIdle,
        faults: options.faults,
      }).then((booted) => {
        stops.push(booted.stop);
        return booted;
      }),
      deploy(anvil.url),
    ]);
    const controller = await startController(anvil.url);
    stops.push(controller.stop);
    await seed(cloud, await rpcProxy(anvil.url), apiKey);
    // As after a deployment: lists to screen by, and the first sweep registers where the payment provider calls us.
    await Promise.all([invoke(cloud, 'RefreshLists'), invoke(cloud, 'ReconcilePix')]);
    // Without a reading of the treasury nothing is sold; after the others, for a third cold start slows them down.
    await invoke(cloud, 'ReadTreasuryFloat');
    return { url: cloud.apis['onramp-sandbox']!, rpcUrl: anvil.url, apiKey, cloud, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const INVOKE_TRIES = 5;

/** On a machine that has much else to do, a first call may run into its time-out: repeated, as by its schedule. */
async function invoke(cloud: Cloud, name: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    const { error, payload } = await cloud.invoke(name, {});
    if (!error) return;
    if (tries === INVOKE_TRIES) throw new Error(`${name}: ${error} ${JSON.stringify(payload)}`);
  }
}
