/** What verbs that identify persons get first: the parts that all rooms share, and the identity providers. */
import type { Context } from '../context.ts'
import type { IdentityProviders } from './identity-providers.ts'

export type IdentityContext = Context & { readonly identity: IdentityProviders }
