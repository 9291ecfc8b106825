import type { LinkOf } from './shown-html.ts';

type PathOf = (subject: string) => string | undefined;

const partnerPath: PathOf = (id) => `/partners/${encodeURIComponent(id)}`;
const ofMoneyCase: PathOf = (id) => `/cases/case?id=${encodeURIComponent(id)}`;
const ofPurchase: PathOf = (id) => (PURCHASE_ID.test(id) ? `/purchases/${id}` : undefined);
const PURCHASE_ID = /^[0-9A-Z]{26}$/;

/** The path of the page about an act's subject, by the act's name or by the first word of the name. */
const PATHS: Readonly<Record<string, PathOf>> = {
  'reviews search': () => undefined,
  'reviews close': (id) => (id === 'ENTRY_GONE' ? '/reviews/gone' : reviewPath(id)),
  reviews: reviewPath,
  cases: ofMoneyCase,
  'clients unblock': ofMoneyCase,
  fraud: () => '/blocks',
  partners: partnerPath,
  keys: partnerPath,
  'vendor-keys': partnerPath,
  endpoints: partnerPath,
  deliveries: partnerPath,
  totp: partnerPath,
  evidence: ofPurchase,
  treasury: (subject) => ofPurchase(subject) ?? '/treasury',
};

function reviewPath(id: string): string {
  return `/reviews/${encodeURIComponent(id)}`;
}

/** The path, below `/console`, of the page about an act's subject. Undefined if the subject has no page. */
export function subjectPath(name: string, subject: string): string | undefined {
  const [first = ''] = name.split(' ');
  return (PATHS[name] ?? PATHS[first])?.(subject);
}

/** Links the subject in a row of a table of acts, where the name of the act comes before it. */
export const subjectLink: LinkOf = (subject, row) => {
  const path = subjectPath(String(row[1]), subject);
  return path && `/console${path}`;
};
