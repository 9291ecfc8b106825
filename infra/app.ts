import { onrampApp } from './onramp-app.ts';

// CloudFormation's rules are checked only for the CDK CLI, because only the CLI deploys. Without them a sandbox on a
// laptop starts faster.
const builtinCloudFormationValidation = process.env.CDK_CLI_ASM_VERSION !== undefined;

/** The CDK CLI sets `CDK_OUTDIR`. Without an output folder CDK would leave a temporary folder after each synthesis. */
const outdir = process.env.CDK_OUTDIR ?? 'cdk.out';
const { app } = await onrampApp({}, { builtinCloudFormationValidation, outdir });
app.synth();
