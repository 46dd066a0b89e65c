/** What verbs that ask company registries get first: the parts that all rooms share, and the registries. */
import type { Context } from '../context.ts'
import type { CompanyRegistries } from './company-registry.ts'

export type RegistryContext = Context & { readonly registries: CompanyRegistries }
