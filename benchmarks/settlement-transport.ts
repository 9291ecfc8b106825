type Call = { jsonrpc: string; id: number; method: string; params: unknown[] };
type Reply = { id: number; result?: unknown; error?: unknown };
type Waiting = { call: Call; answer(reply: Reply): void; fail(error: unknown): void };

const MOST_CALLS = 100;

export type Transport = { fetch: typeof fetch; calls: Map<string, number>; posts(): number };

/**
 * Puts the JSON-RPC calls of one turn of the event loop into one HTTP request.
 *
 * Each invocation still makes all calls that its Lambda function would make. In production, thousands of
 * functions have a processor each for their requests. Here one processor does the work for all of them.
 */
export function sharedTransport(plain: typeof fetch = fetch): Transport {
  const waiting = new Map<string, Waiting[]>();
  const calls = new Map<string, number>();
  let posts = 0;

  async function post(url: string, group: Waiting[]): Promise<void> {
    posts++;
    try {
      const body = JSON.stringify(group.map(({ call }, id) => ({ ...call, id })));
      const response = await plain(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      const replies = (await response.json()) as Reply[];
      // The replies of a batch may come in any order. A call without a reply is treated as if the node had
      // failed.
      const byId = new Map(replies.map((reply) => [reply.id, reply]));
      group.forEach(({ call, answer }, id) => void answer({ ...byId.get(id), id: call.id }));
    } catch (error) {
      for (const { fail } of group) fail(error);
    }
  }

  function flush(url: string): void {
    const all = waiting.get(url) ?? [];
    waiting.delete(url);
    for (let at = 0; at < all.length; at += MOST_CALLS) void post(url, all.slice(at, at + MOST_CALLS));
  }

  function send(url: string, call: Call): Promise<Reply> {
    calls.set(call.method, (calls.get(call.method) ?? 0) + 1);
    return new Promise((answer, fail) => {
      const group = waiting.get(url) ?? [];
      if (group.length === 0) setImmediate(flush, url);
      group.push({ call, answer, fail });
      waiting.set(url, group);
    });
  }

  const carry = async (url: string | URL | Request, init?: RequestInit) => {
    const reply = await send(String(url), JSON.parse(String(init?.body)) as Call);
    return { ok: true, json: async () => reply };
  };
  return { fetch: carry as unknown as typeof fetch, calls, posts: () => posts };
}
