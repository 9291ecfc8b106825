/** The generated sections of the pages for partners, in `docs/partners/`. */
import { BACKOFF_MINUTES } from '../functions/domain/partners/deliveries.ts';
import { EVENT_TYPES, EVENTS, type EventType } from '../functions/domain/partners/events.ts';
import { PAUSE_AFTER_MINUTES } from '../functions/domain/partners/failing.ts';
import { companyScenarios, scenarios } from '../sandbox/providers/scenarios.ts';
import { TRIGGER_NAMES, TRIGGERS, type TriggerName } from '../sandbox/providers/triggers.ts';
import { exampleOf } from './event-examples.ts';
import { tableOf, wrapped } from './markdown.ts';

const codeOf = (text: string) => `\`${text}\``;

/** Lists each event with the fact that it reports, and with an example of its data. */
export function eventsSection(): string[] {
  return EVENT_TYPES.flatMap((type, index) => [...(index === 0 ? [] : ['']), ...eventLines(type)]);
}

function eventLines(type: EventType): string[] {
  const body = { type, timestamp: '2026-11-23T12:00:00.000Z', data: exampleOf(type) };
  const example = withShortLists(JSON.stringify(body, null, 2)).split('\n');
  return [`### ${type}`, '', EVENTS[type], '', '```json', ...example, '```'];
}

/** Writes a JSON list with one text on one line, as the formatter does. */
const withShortLists = (json: string) => json.replace(/\[\s+("[^"]*")\s+\]/g, '[$1]');

/** Makes the table of a delivery's attempts, with the pauses between them. */
export function attemptsSection(): string[] {
  let sum = 0;
  const rows = BACKOFF_MINUTES.map((minutes, index) => {
    sum += minutes;
    return [`${index + 2}`, durationOf(minutes), durationOf(sum)];
  });
  return [
    'A failed webhook is sent again:',
    '',
    ...tableOf([['Attempt', 'After the one before', 'After the first'], ...rows]),
    '',
    'An attempt may come up to two minutes later than this.',
    '',
    'After the last attempt the event waits until somebody asks for it again.',
    '',
    `An address that takes nothing for ${PAUSE_AFTER_MINUTES / (24 * 60)} days is paused.`,
  ];
}

function durationOf(minutes: number): string {
  if (minutes < 1) return `${minutes * 60} seconds`;
  const whole = Math.round(minutes);
  if (minutes < 60) return whole === 1 ? '1 minute' : `${whole} minutes`;
  const hours = Math.round(minutes / 6) / 10;
  return hours === 1 ? '1 hour' : `${hours} hours`;
}

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
    'You have collected this of two of these people: `collected`.',
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
export function triggersSection(): string[] {
  return TRIGGER_NAMES.flatMap((name, index) => [...(index === 0 ? [] : ['']), ...triggerLines(name)]);
}

function triggerLines(name: TriggerName): string[] {
  const { title, of, forces } = TRIGGERS[name];
  return [`### ${name}`, '', ...wrapped(`**${title}**, for a ${of}. ${forces}`)];
}
