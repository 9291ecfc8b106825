/** The options that the clients of AWS have in common. */
export type AwsOptions = {
  region?: string;
  endpoint?: string;
  credentials?: { accessKeyId: string; secretAccessKey: string };
  maxAttempts?: number;
  requestHandler?: { connectionTimeout: number; requestTimeout: number; throwOnRequestTimeout: true };
};
