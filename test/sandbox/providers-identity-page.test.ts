import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { STYLE } from '../../sandbox/providers/identity/page-style.ts';
import {
  CHECK,
  CLIENT,
  CPF,
  createApplicant,
  createLink,
  type Identity,
  listActions,
  openIdentity,
  readApplicant,
} from './providers-identity-support.ts';

let identity: Identity;
let applicantId: string;
let link: string;
beforeEach(async () => {
  identity = openIdentity();
  applicantId = (await createApplicant(identity, CPF)).applicant.id;
  link = new URL(await createLink(identity)).pathname;
});

const look = async (path = link) => {
  const response = await identity.app.request(path);
  return { status: response.status, headers: response.headers, text: await response.text() };
};
const headingOf = ({ text }: { text: string }) => /<h1>(.+?)<\/h1>/.exec(text)?.[1];
/** Sends a form. `goesTo` is the path that a browser would open next. */
const send = async (step: string, form: Record<string, string>, path = link) => {
  const response = await identity.app.request(`${path}/${step}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  });
  const to = response.headers.get('location');
  const goesTo = to && new URL(to, `http://localhost${path}/${step}`).pathname;
  return { status: response.status, goesTo, text: await response.text() };
};
const agree = (path?: string) => send('consent', { consent: 'yes' }, path);
const statusOfCheck = async () => (await listActions(identity, applicantId))[0]?.review.reviewStatus;

/** The "relative luminance" of WCAG 2. */
function luminanceOf(hex: string): number {
  const whole = hex.length === 3 ? [...hex].map((digit) => digit + digit).join('') : hex;
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const share = Number.parseInt(whole.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

describe('the page', () => {
  it('names the service, the purpose and the time limit, and no personal data', async () => {
    const { status, text } = await look();

    expect(status).toBe(200);
    expect(text).toContain('Prova de vida');
    expect(text).toContain('ONRAMP SANDBOX');
    expect(text).toContain(CHECK.slice(-10));
    expect(text).toContain('10 min 00 s');
    for (const personal of [CPF, CLIENT, applicantId, 'Silva']) expect(text).not.toContain(personal);
  });

  it('loads nothing, runs only its own script, and may not be cached or framed', async () => {
    const { headers, text } = await look();

    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    for (const tag of ['style', 'script type="module"']) {
      const [, inline = ''] = new RegExp(`<${tag}>([^<]+)<`).exec(text) ?? [];
      expect(policy).toContain(`'sha256-${createHash('sha256').update(inline).digest('base64')}'`);
    }
    expect(text).not.toMatch(/(src|href)=| style=| on\w+=/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('content-type')).toMatch(/^text\/html/);
  });

  it('is in Portuguese, marks its English words, and labels its controls', async () => {
    const { text } = await look();

    expect(text).toContain('<html lang="pt-BR">');
    expect(text).toContain('<p lang="en">Liveness check</p>');
    expect(text).toMatch(
      /<label class="agree">\s*<input type="checkbox" name="consent" value="yes" required/,
    );
    expect(text).toContain('width=device-width');
  });

  it.each([
    ['light', 0],
    ['dark', 1],
  ])('can be read: its %s colours contrast by 4.5 to 1', (_, mode) => {
    const [, block = ''] = STYLE.split(':root{').slice(mode);
    const colours = new Map([...block.matchAll(/--([\w-]+):#(\w+)/g)].map(([, name, hex]) => [name, hex!]));
    const contrast = (one: string, other: string) => {
      const [dark = 0, light = 0] = [one, other]
        .map((name) => luminanceOf(colours.get(name)!))
        .sort((a, b) => a - b);
      return (light + 0.05) / (dark + 0.05);
    };

    const pairs = [
      ...['text', 'soft', 'accent', 'bad'].map((name) => [name, 'card']),
      ...[
        ['soft', 'page'],
        ['accent-text', 'accent'],
        ['note-text', 'note'],
        ['bad', 'bad-tint'],
      ],
    ] as [string, string][];
    const weak = pairs.filter(([one, other]) => contrast(one, other) < 4.5);
    expect(weak).toEqual([]);
  });

  it('without a script asks again when the time is over', async () => {
    const { text } = await look();

    expect(text).toContain('<noscript><meta http-equiv="refresh" content="600"');
  });
});

describe('a person', () => {
  it.each([
    ['GREEN', 'Verificação aprovada'],
    ['RED', 'Verificação reprovada'],
  ])(
    'goes from consent through the check to the result %s, and the product is told',
    async (answer, title) => {
      expect((await agree()).goesTo).toBe(link);
      expect(headingOf(await look())).toBe('Centralize o rosto');
      const answered = await send('answer', { answer });

      expect(answered).toMatchObject({ status: 303, goesTo: `${link}/result` });
      const result = await look(`${link}/result`);
      expect([result.status, headingOf(result)]).toEqual([200, title]);
      expect(result.text).not.toContain('<form');
      expect(identity.told.map(({ body }) => body.reviewResult)).toEqual([
        expect.objectContaining({ reviewAnswer: answer }),
      ]);
    },
  );

  it('who does not agree is asked again, and no check happens', async () => {
    const { status, goesTo } = await send('consent', {});

    expect([status, goesTo]).toEqual([303, link]);
    const again = await look(`${link}?consent=missing`);
    expect(again.text).toContain('role="alert"');
    expect(headingOf(again)).toBe('Prova de vida');
    expect(await statusOfCheck()).toBe('init');
  });

  it('cannot answer before agreeing, and cannot give an unknown answer', async () => {
    expect((await send('answer', { answer: 'GREEN' })).goesTo).toBe(link);
    await agree();
    expect((await send('answer', { answer: 'PURPLE' })).goesTo).toBe(link);
    expect((await send('answer', {})).goesTo).toBe(link);

    expect(await statusOfCheck()).toBe('init');
    expect((await identity.app.request(`${link}/result`)).status).toBe(303);
  });

  it('who clicks twice sees the first result, and the product gets one webhook', async () => {
    await agree();
    const answers = await Promise.all([
      send('answer', { answer: 'GREEN' }),
      send('answer', { answer: 'GREEN' }),
    ]);
    answers.push(await send('answer', { answer: 'RED' }));

    expect(answers.map(({ goesTo }) => goesTo)).toEqual(Array(3).fill(`${link}/result`));
    expect(headingOf(await look(`${link}/result`))).toBe('Verificação aprovada');
    expect(identity.told).toHaveLength(1);
  });

  it('sees the result also when the control interface has ended the check', async () => {
    await agree();
    await identity.control(`/actions/${CHECK}/complete`, { answer: 'RED' });

    expect((await send('answer', { answer: 'GREEN' })).goesTo).toBe(`${link}/result`);
    expect(headingOf(await look(`${link}/result`))).toBe('Verificação reprovada');
  });

  it('gets the result even if the product does not answer', async () => {
    identity.answers.push(new TypeError('fetch failed'));
    await agree();

    expect((await send('answer', { answer: 'GREEN' })).goesTo).toBe(`${link}/result`);
  });
});

describe('a dead link', () => {
  const everyWay = async (path = link) => [
    (await look(path)).status,
    (await look(`${path}/result`)).status,
    (await agree(path)).status,
    (await send('answer', { answer: 'GREEN' }, path)).status,
  ];

  it('that has expired offers no way to pass, before and after agreeing', async () => {
    await agree();
    identity.wait(600_000);

    expect(await everyWay()).toEqual([410, 410, 410, 410]);
    const page = await look();
    expect(headingOf(page)).toBe('Este link expirou');
    expect(page.text).not.toMatch(/<form|<button/);
    expect(await statusOfCheck()).toBe('init');
  });

  it('is valid until the last millisecond of the requested time', async () => {
    const short = new URL(await createLink(identity, { ttlInSecs: 10 })).pathname;
    identity.wait(9_999);
    expect((await look(short)).status).toBe(200);
    identity.wait(1);
    expect((await look(short)).status).toBe(410);
    expect((await look()).status).toBe(200);
  });

  it('whose check was ended from another link shows that it is over', async () => {
    const other = new URL(await createLink(identity)).pathname;
    await agree(other);
    await send('answer', { answer: 'GREEN' }, other);

    expect(await everyWay()).toEqual([410, 410, 410, 410]);
    expect(headingOf(await look())).toBe('Esta verificação já terminou');
    expect((await look(other)).status).toBe(410);
  });

  it('that never existed is 404', async () => {
    expect(await everyWay('/identity/websdk/p/guessed')).toEqual([404, 404, 404, 404]);
  });
});

describe('a link for a person', () => {
  const linkFor = async (userId: string) => {
    const changes = { levelName: 'onramp-identity', externalActionId: undefined, userId };
    return new URL(await createLink(identity, changes)).pathname;
  };

  it('is over once the person has been reviewed', async () => {
    expect((await look(await linkFor(CLIENT))).status).toBe(410);
  });

  it.each([
    ['GREEN', { reviewAnswer: 'GREEN' }],
    ['RED', { reviewAnswer: 'RED', reviewRejectType: 'FINAL' }],
  ])('ends a pending review, %s', async (answer, result) => {
    await createApplicant(identity, '90000000337', 'waiting');
    const path = await linkFor('waiting');
    expect(headingOf(await look(path))).toBe('Documentos e rosto');
    await agree(path);
    await send('answer', { answer }, path);
    identity.wait(60_000);
    await identity.control('/tick');

    expect((await readApplicant(identity, 'waiting')).review.reviewResult).toMatchObject(result);
    expect(identity.told).toHaveLength(1);
  });

  it('lets the person try again when the provider allows it', async () => {
    await identity.control(`/applicants/${CLIENT}/review`, { answer: 'RED', rejectType: 'RETRY' });
    const path = await linkFor(CLIENT);
    await agree(path);
    await send('answer', { answer: 'GREEN' }, path);

    expect((await readApplicant(identity)).review.reviewResult).toEqual({ reviewAnswer: 'GREEN' });
    expect((await look(`${path}/result`)).status).toBe(200);
  });
});
