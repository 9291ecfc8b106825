/** A placeholder that lets `URL` parse a path alone. Nothing is ever sent to it. */
const ORIGIN = 'http://console.invalid';
const LONGEST = 1_000;
/** Pages to which no sign-in returns, because they begin or end a sign-in themselves. */
const NO_RETURN = /^\/console\/sign-(in|out)(\/|$)/;

/**
 * The path of a page of the console, with its query. Undefined if the text is anything else, such as the URL
 * of another site. A browser takes `\` for `/`, and drops line breaks and tabs, so the text may have none.
 */
export function ownPath(text: string | undefined): string | undefined {
  if (!text || text.length > LONGEST || !/^\/console(?=[/?]|$)[!-[\]-~]*$/.test(text)) return undefined;
  const url = URL.canParse(text, ORIGIN) ? new URL(text, ORIGIN) : undefined;
  if (url?.origin !== ORIGIN || !/^\/console(\/|$)/.test(url.pathname)) return undefined;
  return NO_RETURN.test(url.pathname) ? undefined : `${url.pathname}${url.search}`;
}

/** The first page. API Gateway adds the slash. */
const isFirstPage = (path: string) => path === '/console' || path === '/console/';

/** The address of the sign-in, which leads to this path afterwards. */
export function signInFor(path: string, at = '/console/sign-in'): string {
  const to = ownPath(path);
  return to === undefined || isFirstPage(to) ? at : `${at}?to=${encodeURIComponent(to)}`;
}
