import { getDefined } from '../functions/domain/get.ts';
import { startAnvil } from './chain/anvil.ts';
import { startController } from './chain/controller.ts';
import { deploy } from './chain/deploy.ts';
import { type BootOptions, boot, type Cloud } from './cloud/boot.ts';
import { LOCAL_EDGE, type LocalCertificates, localCertificates } from './local-certificates.ts';
import { type LocalConsole, localConsole } from './local-console.ts';
import { controlKeyOf, localPartners, ownChainUrl, SANDBOX_API_KEY, seed, WEBHOOK_SECRET } from './seed.ts';
import { synthesize } from './synthesize.ts';

export const STACK = 'OnrampSandbox';

/**
 * Multiplies the time-outs of functions, of the states and APIs that call them, and of their own calls. All parts
 * of a local sandbox share one machine, and so a sound call may be slow.
 */
export const PATIENCE = 5;

/**
 * Environment variables of local functions. They allow webhooks to loopback addresses, because partners and
 * simulators listen on this machine. The CDK template must not contain them.
 */
export const LOCAL_ENVIRONMENT = { WEBHOOKS_ALLOW_LOOPBACK: 'true' };

export type SandboxOptions = {
  /** 0 takes a free port. */
  port?: number;
  chainPort?: number;
  /** The port of the AWS services. If it is not free, any free port is taken. */
  cloudPort?: number;
  apiKey?: string;
  /** The real seconds that stand for one minute in the service's waits and schedules. */
  minuteSeconds?: number;
  /** Receives each line that a function prints. */
  onLog?: BootOptions['onLog'];
  /**
   * The most idle instances that all functions together may keep. With fewer instances the sandbox needs less
   * memory, but more CPU to start new ones.
   */
  mostIdle?: number;
  /**
   * The seconds between two blocks of the chain, or `'lazy'`: see `chain/anvil.ts`. Without it the chain
   * mines four blocks a second.
   */
  blockSeconds?: number | 'lazy';
  /** Observes every call to AWS, and can make it fail. */
  faults?: BootOptions['faults'];
  onDecision?: BootOptions['onDecision'];
  /**
   * The file of a module that every function instance imports before its handler, so that a test can observe
   * the instance.
   */
  preload?: string;
  /**
   * Changes the synthesized templates before the boot. It gets their directory, and returns the directory
   * that is booted.
   */
  changeAssembly?: (assembly: string) => string;
  /**
   * `simulated` is the chain of a deployed sandbox, which the simulators store in their table. The default is
   * anvil.
   */
  chain?: 'anvil' | 'simulated';
  /**
   * The setting `console`, which adds the deployed console. Without it the sandbox has only the console of
   * `local-console.ts`.
   */
  console?: object;
  /**
   * Starts a proxy in front of the chain's node at `rpcUrl`, and returns the proxy's URL, which the service
   * then uses.
   */
  rpcProxy?: (rpcUrl: string) => Promise<string>;
};

export type Sandbox = {
  /** The API's base URL. */
  url: string;
  /** The URL of the chain's node. It also offers the methods of the contracts' owner. */
  rpcUrl: string;
  apiKey: string;
  cloud: Cloud;
  certificates: LocalCertificates;
  stop(): Promise<void>;
};

/**
 * Starts the whole service on this machine: the resources of the synthesized template on local emulators, and
 * a chain.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { port = 0, chainPort = 0, minuteSeconds = 60, apiKey = SANDBOX_API_KEY } = options;
  const { changeAssembly = (same) => same, rpcProxy = async (same) => same } = options;
  const stops: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const each of stops.splice(0).reverse()) await each();
  };
  try {
    const certificates = localCertificates();
    const pages = localConsole();
    const [rpcUrl, cloud] = await Promise.all([
      options.chain === 'simulated' ? undefined : startChain({ ...options, port: chainPort }, stops),
      synthesize(contextOf(options))
        .then(changeAssembly)
        .then((assembly) =>
          boot(bootOptions(assembly, { ...options, port, minuteSeconds, certificates, pages })),
        )
        .then((booted) => {
          pages.open({ name: STACK, stage: 'sandbox', ...booted });
          stops.push(booted.stop);
          return booted;
        }),
    ]);
    await seed(cloud, {
      partners: localPartners(apiKey),
      webhookSecret: WEBHOOK_SECRET,
      ...(rpcUrl && { rpcUrl: await rpcProxy(rpcUrl) }),
    });
    // An operator also calls these two functions after a deployment. The first reads the sanctions lists. The
    // second registers the URL for the PSP's Pix callbacks.
    await Promise.all([invoke(cloud, 'RefreshLists'), invoke(cloud, 'ReconcilePix')]);
    // The service sells nothing before this call has read the treasury's balances. It comes after the other
    // two, because a third cold start at once would slow them down.
    await invoke(cloud, 'ReadTreasuryFloat');
    const url = getDefined(cloud.apis['onramp-sandbox'], 'API');
    return { url, rpcUrl: rpcUrl ?? ownChainOf(cloud), apiKey, cloud, certificates, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const contextOf = ({ minuteSeconds = 60, console }: SandboxOptions) => ({
  minuteSeconds,
  patience: PATIENCE,
  edge: { sandbox: LOCAL_EDGE },
  ...(console && { console: { sandbox: console } }),
});

/**
 * Starts anvil, the test contracts on it, and the controller of the traps (`chain/controller.ts`). Returns
 * the URL of anvil.
 */
async function startChain(
  { port, blockSeconds }: Pick<SandboxOptions, 'blockSeconds'> & { port: number },
  stops: (() => Promise<void>)[],
): Promise<string> {
  const anvil = await startAnvil({ port, blockSeconds });
  stops.push(anvil.stop);
  await deploy(anvil.url);
  const controller = await startController(anvil.url);
  stops.push(controller.stop);
  return anvil.url;
}

type Booting = Pick<
  SandboxOptions,
  'cloudPort' | 'onLog' | 'mostIdle' | 'preload' | 'faults' | 'onDecision'
> & {
  port: number;
  minuteSeconds: number;
  certificates: LocalCertificates;
  pages: LocalConsole;
};

function bootOptions(
  assembly: string,
  { cloudPort, port, minuteSeconds, certificates, pages, ...others }: Booting,
): BootOptions {
  const { onLog, mostIdle, preload, faults, onDecision } = others;
  return {
    assembly,
    stackName: STACK,
    apiPorts: { 'onramp-sandbox': port },
    port: cloudPort,
    minuteMs: minuteSeconds * 1000,
    patience: PATIENCE,
    environment: { ...LOCAL_ENVIRONMENT, PSP_CERTIFICATE: JSON.stringify(certificates.provider) },
    identity: certificates.server,
    beside: { api: 'onramp-sandbox', path: '/console', listener: pages.listener },
    uploads: [
      { bucket: 'TrustStore', key: LOCAL_EDGE.callbackDomain.trustStore.key, body: certificates.trustStore },
    ],
    onLog,
    mostIdle,
    preload,
    faults,
    onDecision,
  };
}

function ownChainOf(cloud: Cloud): string {
  const url = getDefined(cloud.outputs.SimulatorsUrl, 'output SimulatorsUrl');
  return ownChainUrl({ url, controlKey: controlKeyOf(cloud) });
}

const INVOKE_TRIES = 5;

/**
 * Calls a function until it succeeds, and throws after five tries. On a busy machine the first try may time
 * out. On AWS the function's schedule would call it again.
 */
async function invoke(cloud: Cloud, name: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    const { error, payload } = await cloud.invoke(name, {});
    if (!error) return;
    if (tries === INVOKE_TRIES) throw new Error(`${name}: ${error} ${JSON.stringify(payload)}`);
  }
}
