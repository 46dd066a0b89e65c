/** Defines the context of operations that read company registries. */
import type { Context } from '../context.ts'
import type { CompanyRegistries } from './company-registry.ts'

export type RegistryContext = Context & { readonly registries: CompanyRegistries }
