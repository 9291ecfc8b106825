/** Shows acts, and the forms by which a person asks for one. */
import { html } from 'hono/html';
import type { State } from '../../functions/domain/acts/act.ts';
import { isOneOf } from '../../functions/domain/acts/act-policy.ts';
import type { Desk } from '../desk.ts';
import { cellOf } from '../shown.ts';
import type { ActForm, Field } from './act-forms.ts';
import { passing } from './act-readers.ts';
import type { Html, SignedFrame } from './layout.ts';
import { sealedForm } from './sealed-form.ts';
import { sheetHtml } from './shown-html.ts';

/**
 * The content of a form that asks for an act: the command with the words and options that the page knows.
 * `names` are the fields that the person fills in.
 */
export type Wish = Pick<ActForm, 'label' | 'command' | 'words' | 'flags'> & {
  names: readonly Field['name'][];
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

/** A choice needs something to choose. */
const canBeFilled = ({ fields = [] }: ActForm) => fields.every(({ choices }) => choices?.length !== 0);

async function mayUse({ command }: ActForm, { policy }: Desk, { session }: SignedFrame): Promise<boolean> {
  const rule = await policy.findRule(command);
  return rule !== undefined && isOneOf([session.role], rule.by);
}

function formHtml({ fields = [], ...form }: ActForm, frame: SignedFrame): Html {
  const content: Wish = { ...form, names: fields.map(({ name }) => name) };
  const shown = html`${fields.map((field, at) => fieldHtml(field, `${at}`))}${REASON}`;
  return html`<details><summary>${form.label}</summary>
${sealedForm({ to: '/acts/new', content, fields: shown, button: 'Look before you do it' }, frame)}</details>
`;
}

/**
 * The label encloses its field, so the field needs no id. Several forms of one page would have the same id.
 */
function fieldHtml({ label, choices, isOptional }: Field, at: string): Html {
  const required = isOptional ? '' : 'required';
  // The first choice is empty, so that nobody takes a wallet or a person by accident.
  const options = choices && [CHOOSE, ...choices.map((choice) => html`<option>${choice}</option>`)];
  return html`<label><span>${label}</span>
${
  options
    ? html`<select name="${at}" ${required}>${options}</select>`
    : html`<input name="${at}" maxlength="300" autocomplete="off" spellcheck="false" ${required}>`
}</label>`;
}

const CHOOSE = html`<option value="">choose</option>`;

export const REASON = html`<label><span>Why: others read it for ten years</span>
<input name="reason" maxlength="500" autocomplete="off" required></label>`;

export const willHtml = (will: readonly string[]): Html =>
  html`<ul class="will">${will.map((line) => html`<li>${line}</li>`)}</ul>`;

/** Shows the state that the act affects: as it is now, and as it is after the change. */
export const changeHtml = (before: State = {}, after: State = {}): Html =>
  html`<div class="pair"><section><h2>Before</h2>${stateHtml(before)}</section>
<section><h2>After</h2>${stateHtml(after)}</section></div>`;

const stateHtml = (state: State): Html =>
  Object.keys(state).length === 0
    ? html`<p class="empty">Nothing of this.</p>`
    : sheetHtml({ sheet: Object.entries(state).map((entry) => [entry[0], cellOf(...entry)]) });
