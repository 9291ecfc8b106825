import type { Node } from 'constructs';

export type AlarmSettings = {
  /** The e-mail or https addresses that get the alarms. Each must confirm its subscription once. */
  subscribers: readonly string[];
  /** The URL of the run-books. Each alarm links to its own section there. */
  runbooks: string;
};

const EMAIL = /^[^\s@,]+@[^\s@,]+\.[^\s@,]+$/;
const HTTPS = /^https:\/\/[^\s,]+$/;

/** Reads the context `alarmsTo`, which is one address or several with commas between them. */
export function alarmSettingsOf(node: Node): AlarmSettings {
  const text = String(node.tryGetContext('alarmsTo') ?? '');
  const subscribers = text.split(',').flatMap((each) => each.trim() || []);
  const wrong = subscribers.find((each) => !EMAIL.test(each) && !HTTPS.test(each));
  if (wrong !== undefined) throw new Error(`alarmsTo must be e-mail or https addresses, not ${wrong}`);
  return { subscribers, runbooks: String(node.tryGetContext('runbooks') ?? 'docs/runbooks.md') };
}

export const protocolOf = (subscriber: string): 'https' | 'email' =>
  HTTPS.test(subscriber) ? 'https' : 'email';
