/** The generated sections of the pages for partners, in `docs/partners/`. */
import { BACKOFF_MINUTES } from '../functions/domain/partners/deliveries.ts';
import { EVENT_TYPES, EVENTS, type EventType } from '../functions/domain/partners/events.ts';
import { companyScenarios, scenarios } from '../sandbox/providers/scenarios.ts';
import { TRIGGER_NAMES, TRIGGERS, type TriggerName } from '../sandbox/providers/triggers.ts';
import { exampleOf } from './event-examples.ts';
import { tableOf, wrapped } from './markdown.ts';

const codeOf = (text: string) => `\`${text}\``;

/** The subjects of events, and the fields that the data of all their events have. */
const FIELDS_OF_ALL = {
  transaction: ['transactionId', 'externalId', 'status', 'sequence'],
  kyc: ['token', 'status', 'riskTier', 'expiresAt', 'sequence'],
  others: ['sequence'],
} as const;

type Subject = keyof typeof FIELDS_OF_ALL;

const isSubject = (text: string): text is Subject => text in FIELDS_OF_ALL;

function subjectOf(type: EventType): Subject {
  const [first = ''] = type.split('.');
  return isSubject(first) ? first : 'others';
}

/** Each event with the fact that it reports, and the fields that only its data have. */
export function eventsSection(): string[] {
  const namesOf = (subject: Subject) => FIELDS_OF_ALL[subject].map(codeOf).join(', ');
  return [
    ...wrapped(
      `The \`data\` of each \`transaction\` event have ${namesOf('transaction')}. ` +
        `Those of each \`kyc\` event have ${namesOf('kyc')}, those of others ${namesOf('others')}. ` +
        'Further fields are in brackets. The [reference](reference.md) has an example of each.',
    ),
    '',
    ...EVENT_TYPES.flatMap((each) => wrapped(eventLine(each))),
  ];
}

function eventLine(type: EventType): string {
  const ofAll: readonly string[] = FIELDS_OF_ALL[subjectOf(type)];
  const further = Object.entries(exampleOf(type) as object).filter(([name]) => !ofAll.includes(name));
  const fields = further.map(([name, value]) => fieldOf(name, value)).join(', ');
  return `- **${codeOf(type)}**${fields === '' ? '' : ` (${fields})`}: ${EVENTS[type]}`;
}

/** A field with the names inside it, such as `med.returnId`. */
function fieldOf(name: string, value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return codeOf(name);
  return Object.keys(value)
    .map((inner) => codeOf(`${name}.${inner}`))
    .join(', ');
}

/** Says when a failed delivery is sent again, with the pauses between the attempts. */
export function attemptsSection(): string[] {
  const minutes: readonly number[] = BACKOFF_MINUTES;
  const days = minutes.reduce((sum, each) => sum + each) / (24 * 60);
  const pauses = [...Map.groupBy(minutes, unitOf)].map(
    ([unit, those]) => `${listed(those.map((each) => each / MINUTES[unit]))} ${unit}`,
  );
  return wrapped(
    `A failed webhook is sent ${minutes.length} times more, within ${Math.floor(days)} days. ` +
      `The pauses are ${pauses.join(', then ')}. Each may be two minutes longer. ` +
      'Then the event waits until you read or replay it.',
  );
}

const MINUTES = { seconds: 1 / 60, minutes: 1, hours: 60 };

function unitOf(minutes: number): keyof typeof MINUTES {
  if (minutes < 1) return 'seconds';
  return minutes < 60 ? 'minutes' : 'hours';
}

const listed = (numbers: readonly number[]): string =>
  new Intl.ListFormat('en-GB').format(numbers.map((each) => `${Math.round(each)}`));

/** Every scenario that the sandbox lists. */
export function scenariosSection(): string[] {
  const people = scenarios.map(({ cpf, forces }) => [codeOf(cpf), forces]);
  const shared = scenarios.flatMap(({ cpf, collected }) =>
    collected ? [[cpf, collected.name, collected.birthDate, collected.documentNumber].map(codeOf)] : [],
  );
  const companies = companyScenarios.map(({ cnpj, forces }) => [codeOf(cnpj), forces]);
  return [
    '## People',
    '',
    'Submit the CPF with `POST /v1/laas/kyc/submit`. Each submission plays its outcome again.',
    '',
    ...tableOf([['CPF', 'Forces'], ...people]),
    '',
    '## Data of Model 3',
    '',
    'Two of these people have `collected`:',
    '',
    ...tableOf([['CPF', '`name`', '`birthDate`', '`documentNumber`'], ...shared]),
    '',
    '## Companies',
    '',
    'Submit the CNPJ as `cnpj`, with `"personType": "PJ"` and the `cpf` of a representative.',
    '',
    ...tableOf([['CNPJ', 'Forces'], ...companies]),
  ];
}

/** Every event that a partner causes in the sandbox. */
export const triggersSection = (): string[] => [
  'For a purchase:',
  '',
  ...triggerLines('purchase'),
  '',
  'For a client. An event that refuses a call refuses it once:',
  '',
  ...triggerLines('client'),
];

function triggerLines(subject: (typeof TRIGGERS)[TriggerName]['of']): string[] {
  const names = TRIGGER_NAMES.filter((name) => TRIGGERS[name].of === subject);
  return names.flatMap((name) => {
    const { title, forces } = TRIGGERS[name];
    return wrapped(`- ${codeOf(name)}. **${title}.** ${forces}`);
  });
}
