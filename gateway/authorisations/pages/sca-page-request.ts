/** The types of page requests and actions. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ScaSession } from '../sca-session.ts'
import type { ScaSessionUrlParams } from '../sca-session-url.ts'

/** A request for a page of an SCA session. */
export type ScaPageRequest = FastifyRequest<{ Params: ScaSessionUrlParams }>

/** Handles a page request once its session is found. */
export type ScaPageAction = (session: ScaSession, request: ScaPageRequest, reply: FastifyReply) => Promise<FastifyReply>
