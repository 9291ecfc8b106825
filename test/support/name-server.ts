import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { SocketAddress } from 'node:net';

const TYPES: Record<number, 'A' | 'AAAA'> = { 1: 'A', 28: 'AAAA' };
const HEADER_BYTES = 12;
const [RESPONSE, NXDOMAIN] = [0x8180, 0x8183];

type Zone = Record<string, { A?: string[]; AAAA?: string[] }>;
type Question = { name: string; type: string };

export type NameServer = Awaited<ReturnType<typeof startNameServer>>;

/** Starts a name server on this machine over UDP (RFC 1035). It knows the names of the zone, or never answers. */
export async function startNameServer(zone: Zone | 'silent') {
  const questions: Question[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const { name, type, end } = readQuestion(query);
    questions.push({ name, type });
    if (zone !== 'silent')
      socket.send(answerTo(query.subarray(0, end), zone[name], type), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    close: () => new Promise<void>((done) => socket.close(() => done())),
  };
}

function readQuestion(query: Buffer) {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('ascii', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return {
    name: labels.join('.').toLowerCase(),
    type: TYPES[query.readUInt16BE(at + 1)] ?? 'other',
    end: at + 5,
  };
}

function answerTo(question: Buffer, entry: Zone[string] | undefined, type: string): Buffer {
  const addresses = entry?.[type as 'A' | 'AAAA'] ?? [];
  const head = Buffer.from(question);
  head.writeUInt16BE(entry ? RESPONSE : NXDOMAIN, 2);
  head.writeUInt16BE(addresses.length, 6);
  // The answer has no further sections, and ignores those of the query.
  head.writeUInt16BE(0, 8);
  head.writeUInt16BE(0, 10);
  return Buffer.concat([head, ...addresses.map((address) => recordOf(address, type))]);
}

/** A record for the name in the question, valid for one minute. */
function recordOf(address: string, type: string): Buffer {
  const data = type === 'A' ? Buffer.from(address.split('.').map(Number)) : bytesOfV6(address);
  const head = Buffer.from([0xc0, HEADER_BYTES, 0, type === 'A' ? 1 : 28, 0, 1, 0, 0, 0, 60, 0, data.length]);
  return Buffer.concat([head, data]);
}

function bytesOfV6(address: string): Buffer {
  const [before = '', after = ''] = new SocketAddress({ address, family: 'ipv6' }).address.split('::');
  const groups = (text: string) => text.split(':').filter(Boolean);
  const missing = 8 - groups(before).length - groups(after).length;
  const all = [...groups(before), ...Array.from({ length: missing }, () => '0'), ...groups(after)];
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex');
}
