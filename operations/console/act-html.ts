/** Shows acts, and the forms by which a person asks for one. */
import { html } from 'hono/html';
import type { ActShownState } from '../../functions/domain/acts/act.ts';
import { isOneOf } from '../../functions/domain/acts/act-policy.ts';
import type { Desk } from '../desk.ts';
import { withoutCpfs } from '../preparing.ts';
import { cellOf } from '../shown.ts';
import type { ActForm, Field } from './act-forms.ts';
import { passing } from './act-readers.ts';
import type { Html, SignedFrame } from './layout.ts';
import { sealedForm } from './sealed-form.ts';
import { sheetHtml } from './shown-html.ts';
import { timedHtml } from './times.ts';

type FieldShown = Pick<Field, 'label' | 'choices' | 'isOptional'>;
/**
 * The content of a form that asks for an act: the command with the words and options that the page knows.
 * `names` are the fields that the person fills in. `shown` lets a refused form be shown again.
 */
export type Wish = Pick<ActForm, 'label' | 'command' | 'words' | 'flags'> & {
  names: readonly Field['name'][];
  shown: readonly FieldShown[];
};

/** The forms for acts that the person's role may ask for. Empty if there are none. */
export async function formsHtml(
  forms: readonly ActForm[],
  desk: Desk,
  frame: SignedFrame,
): Promise<Html | ''> {
  const shown = await passing(forms.filter(canBeFilled), (form) => mayUse(form, desk, frame));
  if (shown.length === 0) return '';
  return html`<section class="acts" aria-label="What you can do"><h2>What you can do</h2>
${shown.map((form) => formHtml(form, frame))}</section>`;
}

/** False if the form has a field whose list of choices is empty. Such a form is not shown. */
const canBeFilled = ({ fields = [] }: ActForm) => fields.every(({ choices }) => choices?.length !== 0);

async function mayUse({ command }: ActForm, { policy }: Desk, { session }: SignedFrame): Promise<boolean> {
  const rule = await policy.findRule(command);
  return rule !== undefined && isOneOf([session.role], rule.by);
}

function formHtml({ fields = [], ...form }: ActForm, frame: SignedFrame): Html {
  const names = fields.map(({ name }) => name);
  const shown = fields.map(({ label, choices, isOptional }) => ({ label, choices, isOptional }));
  const content: Wish = { ...form, names, shown: shown.map(withFewChoices) };
  return html`<details><summary>${form.label}</summary>
${sealedForm({ ...wishForm(content), fields: fieldsHtml(shown) }, frame)}</details>
`;
}

/**
 * A form repeats its choices in its sealed content only up to this many characters, because the length of a form is
 * limited.
 */
const MOST_CHOSEN = 4_000;

/**
 * Leaves out choices that are longer than `MOST_CHOSEN` together. If such a form is refused, the person must type the
 * value.
 */
function withFewChoices({ choices, ...field }: FieldShown): FieldShown {
  return choices && choices.join('').length <= MOST_CHOSEN ? { ...field, choices } : field;
}

const wishForm = (content: Wish) => ({ to: '/acts/new', content, button: 'Look before you do it' });

/** Shows a refused form again, with all that the person has typed, and the fault at its field. */
export function refusedFormHtml(wish: Wish, refused: RefusedForm, frame: SignedFrame): Html {
  const isElsewhere = refused.at === undefined;
  return html`${isElsewhere ? html`<p class="alarm" role="alert">${refused.fault}</p>` : ''}
<section>${sealedForm({ ...wishForm(wish), fields: fieldsHtml(wish.shown, refused) }, frame)}</section>`;
}

/**
 * Why a form was refused. `at` is the name of the field that is at fault. It is undefined if no single field
 * is.
 */
export type RefusedForm = { typed: Readonly<Record<string, string>>; fault: string; at?: string };

const fieldsHtml = (fields: readonly FieldShown[], refused?: RefusedForm): Html =>
  html`${fields.map((field, at) => fieldHtml(field, `${at}`, refused))}${reasonField(refused)}`;

/**
 * The label encloses its field, so the field needs no id. Several forms of one page would have the same id.
 */
function fieldHtml({ label, choices, isOptional }: FieldShown, at: string, refused?: RefusedForm): Html {
  const required = isOptional ? '' : 'required';
  const typed = refused?.typed[at] ?? '';
  // The first choice is empty, so that nobody takes a wallet or a person by accident.
  const options = choices && [
    CHOOSE,
    ...choices.map((choice) => html`<option${choice === typed ? SELECTED : ''}>${choice}</option>`),
  ];
  const state = stateOfField(at, refused);
  return html`<label><span>${label}</span>${faultHtml(at, refused)}
${
  options
    ? html`<select name="${at}" ${required} ${state}>${options}</select>`
    : html`<input name="${at}" value="${typed}" maxlength="300" autocomplete="off" spellcheck="false"
${required} ${state}>`
}</label>`;
}

const CHOOSE = html`<option value="">choose</option>`;
const SELECTED = html` selected`;
const INVALID = html`aria-invalid="true" autofocus`;

const stateOfField = (at: string, refused?: RefusedForm) => (refused?.at === at ? INVALID : '');

/** The fault is part of the label, so that a screen reader says it with the field. */
const faultHtml = (at: string, refused?: RefusedForm) =>
  refused?.at === at ? html` <strong class="fault">${refused.fault}</strong>` : '';

/** The field for the reason. A CPF that was typed into it is not shown again. */
export function reasonField(refused?: RefusedForm): Html {
  const typed = withoutCpfs(refused?.typed.reason ?? '');
  return html`<label><span>Why: others read it for ten years</span>${faultHtml('reason', refused)}
<input name="reason" value="${typed}" maxlength="500" autocomplete="off" required
${stateOfField('reason', refused)}></label>`;
}

export const willHtml = (will: readonly string[]): Html =>
  html`<ul class="will">${will.map((line) => html`<li>${timedHtml(line)}</li>`)}</ul>`;

/** Shows the state that the act affects: as it is now, and as it is after the change. */
export const changeHtml = (before: ActShownState = {}, after: ActShownState = {}): Html =>
  html`<div class="pair"><section><h2>Before</h2>${stateHtml(before)}</section>
<section><h2>After</h2>${stateHtml(after)}</section></div>`;

const stateHtml = (state: ActShownState): Html =>
  Object.keys(state).length === 0
    ? html`<p class="empty">Nothing of this.</p>`
    : sheetHtml({ sheet: Object.entries(state).map((entry) => [entry[0], cellOf(...entry)]) });
