/** Reads metrics out of log lines as CloudWatch does: "Embedded metric format". */

export type Point = {
  namespace: string;
  name: string;
  dimensions: Record<string, string>;
  value: number;
  unit: string;
  at: number;
};

type Line = {
  _aws?: {
    Timestamp: number;
    CloudWatchMetrics: {
      Namespace: string;
      Dimensions: string[][];
      Metrics: { Name: string; Unit: string }[];
    }[];
  };
  [field: string]: unknown;
};

/** The points of the lines. Throws if a line breaks the format, because CloudWatch would drop such a point. */
export function pointsIn(lines: readonly string[]): Point[] {
  return lines.map((line) => JSON.parse(line) as Line).flatMap(pointsOf);
}

function pointsOf(line: Line): Point[] {
  const { Timestamp: at, CloudWatchMetrics: directives = [] } = line._aws ?? { Timestamp: 0 };
  return directives.flatMap(({ Namespace: namespace, Dimensions, Metrics }) =>
    Dimensions.flatMap((names) =>
      Metrics.map(({ Name: name, Unit: unit }) => ({
        namespace,
        name,
        unit,
        at,
        dimensions: Object.fromEntries(names.map((each) => [each, requireText(line[each], each)])),
        value: requireNumber(line[name], name),
      })),
    ),
  );
}

function requireText(value: unknown, name: string): string {
  if (typeof value !== 'string' || value === '') throw new Error(`the dimension ${name} has no value`);
  return value;
}

function requireNumber(value: unknown, name: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw new Error(`the metric ${name} has no number`);
  return value;
}
