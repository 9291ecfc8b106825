import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

type Answer = { id?: number; result?: unknown; error?: { message: string } };
export type Screen = { width: number; height: number; dark?: boolean; script?: boolean };

export const PHONE: Screen = { width: 390, height: 844 };
export const DESK: Screen = { width: 1280, height: 800 };
/** The screens on which each page is tested. */
export const SCREENS: readonly [name: string, Screen][] = [
  ['a phone', PHONE],
  ['a dark phone', { ...PHONE, dark: true }],
  ['a desk', DESK],
  ['a dark desk', { ...DESK, dark: true }],
];

/** The flags let the browser reach this machine only, as tests may. */
const FLAGS = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  ...['--remote-debugging-port=0', '--use-fake-ui-for-media-stream'],
];
const PATIENCE_MS = 120_000;

/** The path in CHROMIUM_PATH, or a `chromium` on the PATH. Undefined when this machine has none. */
export function findChromium(): string | undefined {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'chromium'))
    .find((path) => existsSync(path));
}

/**
 * Starts a Chromium without a window and drives it over the DevTools protocol. Its profile is deleted when it closes.
 */
export async function openChromium(path: string) {
  const profile = await mkdtemp(join(tmpdir(), 'onramp-chromium-'));
  const browser = spawn(path, [...FLAGS, `--user-data-dir=${profile}`, 'about:blank'], { stdio: 'ignore' });
  let devtools: Send | undefined;
  const close = async () => {
    await end(browser, devtools);
    await rm(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  };
  try {
    devtools = await connect(await endpointOf(profile));
    const send = devtools;
    /** Opens tabs for a person who shares no cookie with the other tabs. */
    const person = async () => {
      const { browserContextId } = await send<{ browserContextId: string }>('Target.createBrowserContext');
      return { open: (screen: Screen) => openTab(send, screen, browserContextId) };
    };
    return { open: (screen: Screen) => openTab(send, screen), person, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Asks the browser to close first, because it then ends its own child processes too. */
async function end(browser: ChildProcess, devtools: Send | undefined): Promise<void> {
  if (browser.exitCode !== null || browser.pid === undefined) return;
  const gone = new Promise((resolve) => browser.once('exit', resolve));
  const killer = setTimeout(() => browser.kill('SIGKILL'), PATIENCE_MS);
  if (devtools) devtools('Browser.close').catch(() => browser.kill());
  else browser.kill();
  await gone;
  clearTimeout(killer);
}

/** Chromium chooses a port and writes it into its profile. */
async function endpointOf(profile: string): Promise<string> {
  const [port, path] = (
    await until(() => readFile(join(profile, 'DevToolsActivePort'), 'utf8').catch(() => ''))
  ).split('\n');
  return `ws://127.0.0.1:${port}${path}`;
}

type Send = <T>(method: string, params?: object, sessionId?: string) => Promise<T>;

async function connect(url: string): Promise<Send> {
  const socket = new WebSocket(url);
  const waiting = new Map<number, (answer: Answer) => void>();
  socket.onmessage = ({ data }) => {
    const answer = JSON.parse(String(data)) as Answer;
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer);
  };
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = () => reject(new Error('Chromium does not take the connection'));
  });
  let last = 0;
  return async <T>(method: string, params: object = {}, sessionId?: string) => {
    const id = ++last;
    const answered = new Promise<Answer>((resolve) => waiting.set(id, resolve));
    socket.send(JSON.stringify({ id, method, params, sessionId }));
    const { result, error } = await answered;
    waiting.delete(id);
    if (error) throw new Error(`${method}: ${error.message}`);
    return result as T;
  };
}

async function openTab(
  devtools: Send,
  { width, height, dark = false, script = true }: Screen,
  browserContextId?: string,
) {
  const wanted = { url: 'about:blank', ...(browserContextId && { browserContextId }) };
  const { targetId } = await devtools<{ targetId: string }>('Target.createTarget', wanted);
  const attach = { targetId, flatten: true };
  const { sessionId } = await devtools<{ sessionId: string }>('Target.attachToTarget', attach);
  const send = <T>(method: string, params?: object) => devtools<T>(method, params, sessionId);
  await send('Page.enable');
  await send('Emulation.setDeviceMetricsOverride', {
    width,
    height,
    deviceScaleFactor: 1,
    mobile: width < 600,
  });
  await send('Emulation.setEmulatedMedia', {
    features: [{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }],
  });
  // Without this call the page's content policy would also stop the expressions of the test.
  await send('Emulation.setScriptExecutionDisabled', { value: !script });
  return tab(send);
}

function tab(send: Send) {
  /** The value of an expression in the page. */
  const evaluate = async <T>(expression: string): Promise<T> => {
    const { result } = await send<{ result: { value: T } }>('Runtime.evaluate', {
      expression,
      returnByValue: true,
    });
    return result.value;
  };
  return {
    evaluate,
    async goTo(url: string) {
      await send('Page.navigate', { url });
      await until(() => evaluate<boolean>('document.readyState === "complete" && !!document.title'));
    },
    /** Clicks at the element's place, as a finger would. An element above it would therefore get the click. */
    async press(selector: string) {
      const find = `document.querySelector(${JSON.stringify(selector)})`;
      await evaluate(`${find}.scrollIntoView({ block: 'center', behavior: 'instant' })`);
      const at = await evaluate<{ x: number; y: number }>(
        `(({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 }))(
          ${find}.getBoundingClientRect())`,
      );
      for (const type of ['mousePressed', 'mouseReleased']) {
        await send('Input.dispatchMouseEvent', { type, ...at, button: 'left', clickCount: 1 });
      }
    },
    async key(key: string) {
      const text = key === 'Enter' ? '\r' : key === ' ' ? ' ' : undefined;
      const code = { Enter: 13, ' ': 32, Tab: 9 }[key];
      const common = { key, code: key === ' ' ? 'Space' : key, windowsVirtualKeyCode: code };
      await send('Input.dispatchKeyEvent', { type: 'keyDown', ...common, ...(text && { text }) });
      await send('Input.dispatchKeyEvent', { type: 'keyUp', ...common });
    },
    /** Waits until the first heading has this text. */
    heading: (text: string) =>
      until(() => evaluate<boolean>(`document.querySelector('h1')?.textContent === ${JSON.stringify(text)}`)),
    async picture(): Promise<Buffer> {
      const { data } = await send<{ data: string }>('Page.captureScreenshot', {
        format: 'png',
        captureBeyondViewport: true,
      });
      return Buffer.from(data, 'base64');
    },
  };
}

async function until<T>(ask: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > deadline) throw new Error('Chromium did not get there in time');
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
