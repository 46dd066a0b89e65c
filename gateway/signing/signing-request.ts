/** What a page of a signing is asked for with, and what answers it. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Signing } from './signing.ts'
import type { SigningAddress } from './signing-address.ts'

/** A request for a page of a signing. */
export type Asked = FastifyRequest<{ Params: SigningAddress }>

/** What is answered once the signing is found. */
export type Answer = (signing: Signing, request: Asked, reply: FastifyReply) => Promise<FastifyReply>
