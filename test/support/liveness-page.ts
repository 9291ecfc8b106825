/** The address of the provider's page, as the page before it links to it. */
export async function checkPageOf(livenessUrl: string): Promise<string> {
  const page = await (await fetch(livenessUrl)).text();
  const [, href] = /<a class="button" href="([^"]*)"/.exec(page) ?? [];
  if (!href) throw new Error(`the page leads nowhere: ${page}`);
  return href.replaceAll('&amp;', '&');
}
