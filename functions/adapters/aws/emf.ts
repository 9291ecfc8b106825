type Measured = {
  namespace: string;
  name: string;
  value: number;
  unit: 'Count' | 'Milliseconds';
  /** The names and values of the dimensions. */
  dimensions: Record<string, string>;
  /** Epoch milliseconds. */
  at: number;
};

/**
 * The fields of a log line by which CloudWatch reads a metric out of it: "Embedded metric format". The other fields of
 * the line stay readable in the log.
 */
export function embedded({ namespace, name, value, unit, dimensions, at }: Measured) {
  const directive = {
    Namespace: namespace,
    Dimensions: [Object.keys(dimensions)],
    Metrics: [{ Name: name, Unit: unit }],
  };
  return { _aws: { Timestamp: at, CloudWatchMetrics: [directive] }, ...dimensions, [name]: value };
}
