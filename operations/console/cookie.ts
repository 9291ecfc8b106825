import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';

export type Cookie = {
  read(context: Context): string | undefined;
  write(context: Context, value: string): void;
  remove(context: Context): void;
};

/**
 * A cookie that no script can read. Over HTTPS its name begins with `__Host-`. Browsers then accept it only
 * from this host itself, and send it only over HTTPS.
 */
export function safeCookie(name: string, sameSite: 'Strict' | 'Lax'): Cookie {
  const optionsFor = ({ req }: Context) => {
    const secure = req.url.startsWith('https:');
    return { path: '/', httpOnly: true, secure, sameSite, prefix: secure ? ('host' as const) : undefined };
  };
  return {
    read: (context) => getCookie(context, name, optionsFor(context).prefix),
    write: (context, value) => setCookie(context, name, value, optionsFor(context)),
    remove: (context) => void deleteCookie(context, name, optionsFor(context)),
  };
}
