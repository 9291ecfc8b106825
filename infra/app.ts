import { onrampApp } from './onramp-app.ts';

/** Synthesizes to `CDK_OUTDIR`, with or without the CLI. */
const { app } = await onrampApp();
app.synth();
