/** Defines the context of operations that identify persons. */
import type { Context } from '../context.ts'
import type { IdentityProviders } from './identity-providers.ts'

export type IdentityContext = Context & { readonly identity: IdentityProviders }
