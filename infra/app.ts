import { onrampApp } from './onramp-app.ts';

// The CLI deploys, so CloudFormation's rules are checked for it; a sandbox on a laptop starts without them.
const builtinCloudFormationValidation = process.env.CDK_CLI_ASM_VERSION !== undefined;

/** Synthesizes to `CDK_OUTDIR`, as the CLI says it, or here: CDK itself would leave a temporary folder behind each time. */
const outdir = process.env.CDK_OUTDIR ?? 'cdk.out';
const { app } = await onrampApp({}, { builtinCloudFormationValidation, outdir });
app.synth();
