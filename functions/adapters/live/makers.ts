import { AWS_MAKERS } from './aws.ts';
import { KYC_MAKERS } from './kyc.ts';
import { LISTS_MAKERS } from './lists.ts';
import { PARTNERS_MAKERS } from './partners.ts';
import type { AllMakers } from './parts.ts';
import { PURCHASE_MAKERS } from './purchase.ts';
import { TREASURY_MAKERS } from './treasury.ts';

export const MAKERS = {
  ...AWS_MAKERS,
  ...PARTNERS_MAKERS,
  ...KYC_MAKERS,
  ...LISTS_MAKERS,
  ...PURCHASE_MAKERS,
  ...TREASURY_MAKERS,
} satisfies AllMakers;
