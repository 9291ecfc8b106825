import { onrampApp } from './onramp-app.ts';

// Only the CLI deploys, so CloudFormation's rules are checked only for it. A sandbox on a laptop starts faster without.
const builtinCloudFormationValidation = process.env.CDK_CLI_ASM_VERSION !== undefined;

/** The CLI sets `CDK_OUTDIR`. Without an output folder CDK would leave a temporary folder after each synthesis. */
const outdir = process.env.CDK_OUTDIR ?? 'cdk.out';
const { app } = await onrampApp({}, { builtinCloudFormationValidation, outdir });
app.synth();
