import type * as z from 'zod';

/** Reads a setting of `cdk.json`. If it is wrong, throws an error that names the field. */
export function requireSettingForm<Form extends z.ZodType>(
  form: Form,
  given: unknown,
  name: string,
): z.output<Form> {
  const { success, data, error } = form.safeParse(given);
  if (success) return data;
  const faults = error.issues.map(({ path, message }) => `${path.join('.') || 'all'}: ${message}`);
  throw new Error(`In cdk.json ${name}: ${faults.join('; ')}`);
}
