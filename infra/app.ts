import { onrampApp } from './onramp-app.ts';

// The CLI deploys, so CloudFormation's rules are checked for it; a sandbox on a laptop starts without them.
const builtinCloudFormationValidation = process.env.CDK_CLI_ASM_VERSION !== undefined;

/** Synthesizes to `CDK_OUTDIR`, with or without the CLI. */
const { app } = await onrampApp({}, { builtinCloudFormationValidation });
app.synth();
