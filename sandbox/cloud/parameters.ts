import type { Need } from './access.ts';
import type { Template } from './template.ts';
import { ACCOUNT, awsError, type Fields, list, PARTITION, REGION, text } from './wire.ts';

export type Parameters = {
  call(operation: string, input: Fields): Promise<Fields>;
  needs(operation: string, input: Fields): Need[];
};

type Parameter = { name: string; type: string; value: string; version: number; changedAt: number };

export function startParameters(template: Template): Parameters {
  const parameters = new Map<string, Parameter>();
  for (const { logicalId } of template.ofType('AWS::SSM::Parameter')) {
    const { Type, Value } = template.properties(logicalId);
    put(template.ref(logicalId), text(Type), text(Value));
  }

  function put(name: string, type: string, value: string): Parameter {
    const version = (parameters.get(name)?.version ?? 0) + 1;
    const parameter = { name, type, value, version, changedAt: Date.now() / 1000 };
    parameters.set(name, parameter);
    return parameter;
  }

  const operations: Record<string, (input: Fields) => Fields> = {
    GetParameter(input) {
      const parameter = parameters.get(nameOf(input.Name));
      if (!parameter) throw awsError('ParameterNotFound', `Parameter ${text(input.Name)} not found.`);
      return { Parameter: shown(parameter) };
    },
    GetParameters(input) {
      const names = list(input.Names).map(nameOf);
      const found = names.map((name) => parameters.get(name)).filter((parameter) => parameter !== undefined);
      return {
        Parameters: found.map(shown),
        InvalidParameters: names.filter((name) => !parameters.has(name)),
      };
    },
    GetParametersByPath(input) {
      const path = `${text(input.Path).replace(/\/$/, '')}/`;
      const below = [...parameters.values()].filter(
        ({ name }) => name.startsWith(path) && (input.Recursive || !name.slice(path.length).includes('/')),
      );
      return { Parameters: below.map(shown) };
    },
    PutParameter(input) {
      const former = parameters.get(nameOf(input.Name));
      if (former && !input.Overwrite) {
        throw awsError(
          'ParameterAlreadyExists',
          'The parameter already exists; set Overwrite to replace it.',
        );
      }
      const type = text(input.Type) || former?.type || 'String';
      return { Version: put(nameOf(input.Name), type, text(input.Value)).version, Tier: 'Standard' };
    },
    DeleteParameter(input) {
      if (!parameters.delete(nameOf(input.Name))) throw awsError('ParameterNotFound', 'Parameter not found.');
      return {};
    },
  };

  return {
    async call(operation, input) {
      const handle = operations[operation];
      if (!handle) throw awsError('UnknownOperationException', `SSM ${operation} is not simulated`);
      return handle(input);
    },
    needs(operation, input) {
      const names = input.Names ? list(input.Names) : [input.Name ?? input.Path];
      return names.map((name) => ({ action: `ssm:${operation}`, resource: parameterArn(nameOf(name)) }));
    },
  };
}

function nameOf(nameOrArn: unknown): string {
  return text(nameOrArn).replace(/^arn:[^/]*:parameter/, '');
}

function parameterArn(name: string): string {
  return `arn:${PARTITION}:ssm:${REGION}:${ACCOUNT}:parameter/${name.replace(/^\//, '')}`;
}

function shown({ name, type, value, version, changedAt }: Parameter): Fields {
  const ARN = parameterArn(name);
  return {
    Name: name,
    Type: type,
    Value: value,
    Version: version,
    LastModifiedDate: changedAt,
    ARN,
    DataType: 'text',
  };
}
