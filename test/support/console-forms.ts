/** Finds the forms of a page of the console, as a browser without scripts does. */

const textIn = (html: string) =>
  html.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&amp;', '&');

/** The form of a page with this text, with its hidden fields. Its address is empty if there is no such form. */
export function formIn(page: string, wanted: string): { action: string; form: Record<string, string> } {
  const forms = [...page.matchAll(/<form class="act" method="post" action="([^"]+)">(.*?)<\/form>/gs)];
  const [, action = '', fields = ''] = forms.find(([text]) => textIn(text).includes(wanted)) ?? [];
  const hidden = [...fields.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)];
  return { action, form: Object.fromEntries(hidden.map(([, name, value]) => [name, textIn(value!)])) };
}
