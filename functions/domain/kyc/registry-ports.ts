import type { ClosedEntry, CompanyEntry, RegistryEntry } from './kyc.ts';

export type CpfRegistry = { findCpf(cpf: string): Promise<RegistryEntry | ClosedEntry | undefined> };

/** Undefined: there is no such CNPJ. */
export type CompanyRegistry = { findCnpj(cnpj: string): Promise<CompanyEntry | undefined> };
