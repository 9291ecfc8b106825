import { type Fields, fields, list, REGION, text } from './wire.ts';

/** Stands for a property that the template leaves out: `AWS::NoValue`. */
export const NO_VALUE = Symbol('AWS::NoValue');

type Values = {
  resolve(value: unknown): unknown;
  reference(name: string): unknown;
  attribute(logicalId: string, name: string): string;
  condition(name: unknown): boolean;
};

/** The intrinsic functions, by their names in a template. */
export function intrinsicsOf(
  mappings: unknown,
  { resolve, reference, attribute, condition }: Values,
): Record<string, (operand: unknown) => unknown> {
  return {
    Ref: (operand) => reference(text(operand)),
    'Fn::GetAtt': (operand) => {
      const [id, ...name] = Array.isArray(operand) ? operand.map(resolve) : text(operand).split('.');
      return attribute(String(id), name.join('.'));
    },
    'Fn::Join': (operand) => {
      const [separator, parts] = list(operand);
      return list(resolve(parts)).map(String).join(text(separator));
    },
    'Fn::Sub': substitution({ resolve, reference, attribute }),
    'Fn::Select': (operand) => {
      const [index, from] = list(operand).map(resolve);
      return list(from)[Number(index)];
    },
    'Fn::Split': (operand) => {
      const [separator, from] = list(operand).map(resolve);
      return String(from).split(String(separator));
    },
    'Fn::If': (operand) => {
      const [name, yes, no] = list(operand);
      return resolve(condition(name) ? yes : no);
    },
    'Fn::FindInMap': (operand) => {
      const [map, first, second] = list(operand).map(resolve);
      return fields(fields(fields(mappings)[String(map)])[String(first)])[String(second)];
    },
    'Fn::Base64': (operand) => Buffer.from(String(resolve(operand))).toString('base64'),
    'Fn::GetAZs': () => [`${REGION}a`, `${REGION}b`],
  };
}

/** Replaces each `${name}` or `${resource.attribute}` in a text by its value. */
function substitution({
  resolve,
  reference,
  attribute,
}: Omit<Values, 'condition'>): (operand: unknown) => string {
  return (operand) => {
    const [pattern, values] = Array.isArray(operand) ? operand : [operand, {}];
    return text(pattern).replace(/\$\{(!?)([^}]+)\}/g, (_, literal: string, name: string) => {
      if (literal) return `\${${name}}`;
      if (name in fields(values)) return String(resolve(fields(values)[name]));
      const dot = name.indexOf('.');
      return String(dot < 0 ? reference(name) : attribute(name.slice(0, dot), name.slice(dot + 1)));
    });
  };
}

/** Judges the conditions that a template declares. */
export function conditionsOf(
  source: Fields,
  resolve: (value: unknown) => unknown,
): (name: unknown) => boolean {
  function condition(name: unknown): boolean {
    const expression = fields(source.Conditions)[text(name)];
    if (expression === undefined) throw new Error(`The template names an unknown condition ${String(name)}`);
    return judge(expression);
  }

  function judge(expression: unknown): boolean {
    const [[operator, operand] = []] = Object.entries(fields(expression));
    if (operator === 'Condition') return condition(operand);
    if (operator === 'Fn::Equals') {
      const [left, right] = list(operand).map(resolve);
      return JSON.stringify(left) === JSON.stringify(right);
    }
    if (operator === 'Fn::Not') return !judge(list(operand)[0]);
    if (operator === 'Fn::And') return list(operand).every(judge);
    if (operator === 'Fn::Or') return list(operand).some(judge);
    throw new Error(`Cannot judge the condition ${JSON.stringify(expression)}`);
  }

  return condition;
}
