/**
 * `npm run evacuate -- --outputs <file> --region <region> --rpc <url> --to <address>` takes the treasury, or one
 * wallet of it, to another address: docs/operations.md, "A region that is lost".
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { makeClient } from '../functions/adapters/aws/clients/kms.ts';
import type { Chain } from '../functions/adapters/chain/chain.ts';
import { kmsSigner } from '../functions/adapters/chain/kms-signer.ts';
import { postJson } from '../functions/adapters/chain/post.ts';
import { jsonRpc } from '../functions/adapters/chain/rpc.ts';
import { assetAmountOf } from '../functions/domain/assets.ts';
import { awsOptionsOf } from './desk.ts';
import {
  type EvacuatedTreasury,
  type Evacuation,
  endOfMove,
  planEvacuation,
  type SentMove,
  sendMoves,
  type WalletMove,
} from './evacuation.ts';
import { readTarget, requireOutput } from './outputs.ts';
import { openTerminal } from './terminal.ts';
import { misused, refuseOrder } from './words.ts';

const NODE_MS = 10_000;
const LOOK_EACH_MS = 2_000;
/**
 * How often one run looks whether its transfers are in a block: for five minutes. If some are not, the operator calls
 * the same command again, which goes on.
 */
const LOOKS = 150;

const OPTIONS = {
  outputs: { type: 'string' },
  region: { type: 'string' },
  rpc: { type: 'string', multiple: true },
  to: { type: 'string' },
  outbid: { type: 'string' },
  wallet: { type: 'string' },
  yes: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;
const parseOptions = (args: string[]) => parseArgs({ args, options: OPTIONS }).values;
type Options = ReturnType<typeof parseOptions>;

const MISSING = 'Give --region, --to and --rpc: --help says more.';

const USAGE = `npm run evacuate -- --region <region> --to <address> --rpc <url>

  Moves all tokens of the treasury to another address: docs/operations.md, "A region that is lost".

  --region <region>  a region that has the signing keys, such as that of the replicas
  --to <address>     a wallet that only you hold
  --rpc <url>        a node of the chain; once for each node
  --outputs <file>   the stack’s outputs, of cdk deploy --outputs-file; else the sandbox that runs here
  --wallet <0x…>     empties this wallet alone; else all
  --outbid <gwei>    the fee by which transactions that wait for a block are replaced; else their wallets wait
  --yes              asks nothing; else you type the address
  --help             this text
Exit codes: 0 done, 1 refused, failed or not all is moved, 2 misused.`;

function treasuryOf({ outputs, region, rpc }: Options): EvacuatedTreasury {
  if (!region || !rpc) misused(MISSING);
  const target = readTarget(outputs);
  const kms = makeClient(awsOptionsOf({ ...target, region }));
  return {
    rpc: jsonRpc(async () => rpc, { timeoutMs: NODE_MS, post: postJson }),
    chain: JSON.parse(requireOutput(target, 'Chain')) as Chain,
    signers: requireOutput(target, 'SigningKeyIds')
      .split(',')
      .map((keyId) => kmsSigner(async () => kms, keyId)),
  };
}

const WEI_PER_GWEI = 1_000_000_000n;

function weiOf(gwei: string | undefined): bigint | undefined {
  if (gwei === undefined) return undefined;
  if (!/^[1-9]\d{0,4}$/.test(gwei)) misused('--outbid is a fee in whole gwei.');
  return BigInt(gwei) * WEI_PER_GWEI;
}

const moveWords = ({ wallet, asset, units, nonce }: WalletMove) =>
  `${assetAmountOf(asset, units)} ${asset} from ${wallet}, nonce ${nonce}`;

async function main(args: string[]): Promise<void> {
  const options = optionsIn(args);
  if (options.help) return console.log(USAGE);
  if (args.length === 0) misused(USAGE);
  return evacuate(options);
}

function optionsIn(args: string[]): Options {
  try {
    return parseOptions(args);
  } catch (error) {
    return misused(`${(error as Error).message}\n--help lists the options.`);
  }
}

async function evacuate(options: Options): Promise<void> {
  const { to, outbid, wallet, yes } = options;
  if (!to) misused(MISSING);
  const terminal = openTerminal();
  try {
    const treasury = treasuryOf(options);
    const plan = await planEvacuation(treasury, { to, outbidWei: weiOf(outbid), only: wallet });
    for (const move of plan.moves) terminal.tell(`move ${moveWords(move)}, to ${to}`);
    for (const trouble of plan.troubles) terminal.tell(trouble);
    if (plan.moves.length > 0) await performEvacuation(plan, treasury, yes ? undefined : terminal.ask);
    if (plan.troubles.length > 0) refuseOrder('Not all wallets are empty.');
    terminal.say(wallet ? `${wallet} is empty.` : 'All wallets are empty.');
  } finally {
    terminal.close();
  }
}

type Ask = ReturnType<typeof openTerminal>['ask'];

async function performEvacuation(
  plan: Evacuation,
  treasury: EvacuatedTreasury,
  ask: Ask | undefined,
): Promise<void> {
  if (ask && (await ask(`Type ${plan.to} to go on: `)).trim() !== plan.to) refuseOrder('Nothing was sent.');
  let waiting = await sendMoves(plan, treasury);
  for (const { move, hash, said } of waiting) console.log(`${hash} moves ${moveWords(move)}: ${said}`);
  for (let look = 0; waiting.length > 0 && look < LOOKS; look++) {
    await sleep(LOOK_EACH_MS);
    waiting = await stillWaiting(waiting, treasury);
  }
  if (waiting.length > 0) refuseOrder('Not every transfer is in a block yet: run it again.');
}

async function stillWaiting(sent: readonly SentMove[], { rpc }: EvacuatedTreasury): Promise<SentMove[]> {
  const ends = await Promise.all(sent.map((each) => endOfMove(each, rpc)));
  const reverted = sent.find((_, at) => ends[at] === 'reverted');
  if (reverted) refuseOrder(`${reverted.hash} was reverted: ask the issuer of ${reverted.move.asset}.`);
  return sent.filter((_, at) => ends[at] === undefined);
}

await main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = error.name === 'Misused' ? 2 : 1;
});
