import { readFileSync } from 'node:fs';
import { StateMachine, type StateMachineDefinition } from 'aws-local-stepfunctions';
import type { Resource } from './physical-ids.ts';
import type { Template } from './template.ts';
import { type Fields, fields, list, text } from './wire.ts';

export type Machine = {
  arn: string;
  name: string;
  roleArn: string;
  source: string;
  /** The Task states of the definition, by name. `limitSeconds` is a state's time-out on this machine. */
  tasks: Map<string, Fields>;
  engine: StateMachine;
};

/**
 * The longest time-out of a Task, in seconds. A longer one is cut to this, and AWS's default, no time-out,
 * also becomes this. Node's timers overflow after 24 days and then fire at once.
 */
const LONGEST_SECONDS = 2_000_000;

/**
 * @param patience multiplies the time-out of each state that calls a function, except those that wait for a
 * callback
 */
export function readMachine(template: Template, { logicalId }: Resource, patience: number): Machine {
  const properties = template.properties(logicalId);
  const source = definitionOf(template, properties);
  const definition = fields(JSON.parse(source));
  const tasks = new Map<string, Fields>();
  const runnable = prepare(definition, { tasks, where: logicalId, patience });
  return {
    arn: template.ref(logicalId),
    name: template.attribute(logicalId, 'Name'),
    roleArn: text(properties.RoleArn),
    source,
    tasks,
    // The engine need not validate the definition, which would take a tenth of the start's time.
    // `test/statemachines/asl.test.ts` validates it.
    engine: new StateMachine(runnable as unknown as StateMachineDefinition, {
      validationOptions: { noValidate: true },
    }),
  };
}

function definitionOf(template: Template, properties: Fields): string {
  const substitutions = fields(properties.DefinitionSubstitutions);
  const source = properties.DefinitionS3Location
    ? readFileSync(template.asset(text(fields(properties.DefinitionS3Location).Key)), 'utf8')
    : text(properties.DefinitionString) || JSON.stringify(properties.Definition);
  return source.replace(/\$\{([^}]+)\}/g, (whole, name: string) =>
    name in substitutions ? String(substitutions[name]) : whole,
  );
}

const RESOURCE = /^arn:[^:]+:(lambda:[^:]+:\d+:function:.+|states:::lambda:invoke(\.waitForTaskToken)?)$/;

type About = { tasks: Machine['tasks']; where: string; patience: number };

/**
 * Copies a definition for the engine. Sets the time-outs of its Task states, replaces `$$.State.Name`, and
 * throws for a Task that is not simulated.
 */
function prepare(definition: Fields, about: About): Fields {
  const { tasks, where, patience } = about;
  if (definition.QueryLanguage === 'JSONata') throw new Error(`${where}: JSONata is not simulated`);
  const states = Object.entries(fields(definition.States)).map(([name, value]) => {
    const state = { ...fields(value) };
    if (state.Type === 'Task') {
      if (!RESOURCE.test(text(state.Resource)))
        throw new Error(`${where}.${name}: ${text(state.Resource)} is unsupported`);
      if (state.HeartbeatSeconds !== undefined)
        throw new Error(`${where}.${name}: HeartbeatSeconds is not simulated`);
      if (tasks.has(name)) throw new Error(`${where}: two states are named ${name}`);
      if (state.TimeoutSecondsPath === undefined) state.TimeoutSeconds = limitOf(state, patience);
      tasks.set(name, { ...fields(value), limitSeconds: state.TimeoutSeconds });
    }
    if (state.Branches) state.Branches = list(state.Branches).map((branch) => prepare(fields(branch), about));
    for (const key of ['Iterator', 'ItemProcessor']) {
      if (state[key]) state[key] = prepare(fields(state[key]), about);
    }
    if (state.Parameters) state.Parameters = nameState(state.Parameters, name);
    return [name, state];
  });
  const limit =
    definition.TimeoutSeconds === undefined
      ? {}
      : { TimeoutSeconds: Math.min(Number(definition.TimeoutSeconds), LONGEST_SECONDS) };
  return { ...definition, ...limit, States: Object.fromEntries(states) };
}

function limitOf({ Resource, TimeoutSeconds }: Fields, patience: number): number {
  const factor = text(Resource).endsWith('.waitForTaskToken') ? 1 : patience;
  return Math.min(Number(TimeoutSeconds ?? LONGEST_SECONDS) * factor, LONGEST_SECONDS);
}

/** Replaces `$$.State.Name` in the definition, because the engine does not know the name of the current state. */
function nameState(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((item) => nameState(item, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) =>
      item === '$$.State.Name' ? [key.replace(/\.\$$/, ''), name] : [key, nameState(item, name)],
    ),
  );
}
