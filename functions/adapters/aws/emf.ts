type Measured = {
  namespace: string;
  name: string;
  value: number;
  unit: 'Count' | 'Milliseconds';
  /** The name and the value of each dimension. */
  dimensions: Record<string, string>;
  /** The instant of the measurement, in epoch milliseconds. */
  at: number;
};

/**
 * The fields that make CloudWatch read a metric from a log line ("Embedded metric format"). The line's other fields
 * stay readable in the log.
 */
export function embedded({ namespace, name, value, unit, dimensions, at }: Measured) {
  const directive = {
    Namespace: namespace,
    Dimensions: [Object.keys(dimensions)],
    Metrics: [{ Name: name, Unit: unit }],
  };
  return { _aws: { Timestamp: at, CloudWatchMetrics: [directive] }, ...dimensions, [name]: value };
}
