/** The options that all clients of AWS share. */
export type AwsOptions = {
  region?: string;
  endpoint?: string;
  credentials?: { accessKeyId: string; secretAccessKey: string };
  maxAttempts?: number;
  requestHandler?: { connectionTimeout: number; requestTimeout: number; throwOnRequestTimeout: true };
};
