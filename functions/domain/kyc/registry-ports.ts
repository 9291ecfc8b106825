import type { ClosedEntry, CompanyEntry, RegistryEntry } from './kyc.ts';

export type CpfRegistry = { findCpf(cpf: string): Promise<RegistryEntry | ClosedEntry | undefined> };

/** Undefined: the registry does not know the CNPJ. */
export type CompanyRegistry = { findCnpj(cnpj: string): Promise<CompanyEntry | undefined> };
