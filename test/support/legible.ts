/** Expressions for a page in a browser: what a reader of it needs. */

/** True if a reader must scroll sideways. */
export const SIDEWAYS = 'document.documentElement.scrollWidth > innerWidth';
/** The texts whose colour is not as far from their background as WCAG asks for: 4.5. */
export const lowContrasts = (except: string) => `(() => {
  const light = (text) => {
    const [r, g, b] = text.match(/[\\d.]+/g).map((value) => {
      const part = value / 255;
      return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    const colour = getComputedStyle(element).backgroundColor;
    return colour === 'rgba(0, 0, 0, 0)' && element.parentElement ? behind(element.parentElement) : colour;
  };
  const found = [...document.querySelectorAll('h1, p, li, dt, dd, a, code, td, th, figcaption, .comment, summary')]
    .filter((element) => !element.closest('${except}') && element.checkVisibility())
    .map((element) => {
      const [low, high] = [getComputedStyle(element).color, behind(element)].map(light).sort((a, b) => a - b);
      return { text: element.textContent.slice(0, 30), contrast: (high + 0.05) / (low + 0.05) };
    });
  return found.filter(({ contrast }) => contrast < 4.5);
})()`;
