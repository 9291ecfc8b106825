type Notice = { id?: number; error?: { message: string }; method?: string };

/**
 * An event that a node reports: `newHeads` is a new block, and `newPendingTransactions` a transaction that
 * waits for a block.
 */
export type Topic = 'newHeads' | 'newPendingTransactions';

/**
 * Calls `notify` at each report of the node, until the caller stops it. Rejects if the node refuses the
 * subscription. Source: `eth_subscribe` of geth's JSON-RPC over WebSocket.
 */
export function subscribe(rpcUrl: string, topic: Topic, notify: () => void): Promise<{ stop: () => void }> {
  const socket = new WebSocket(rpcUrl.replace(/^http/, 'ws'));
  return new Promise((resolve, reject) => {
    socket.onopen = () =>
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: [topic] }));
    socket.onerror = () => reject(new Error(`no subscription to ${topic} at ${rpcUrl}`));
    socket.onmessage = ({ data }) => {
      const notice = JSON.parse(String(data)) as Notice;
      if (notice.error) reject(new Error(`eth_subscribe ${topic}: ${notice.error.message}`));
      else if (notice.id === 1) resolve({ stop: () => socket.close() });
      else if (notice.method === 'eth_subscription') notify();
    };
  });
}
