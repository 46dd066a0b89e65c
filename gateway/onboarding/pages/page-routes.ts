/** Serves the hosted flow of onboarding: the links that are given away, and the pages behind them. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isInPassing } from '../../authorisations/browser/requesting-browser.ts'
import type { Context } from '../../context.ts'
import { asRefusal } from '../../platform/http/errors/framework-error.ts'
import { renderFailure } from '../../platform/http/errors/render-error.ts'
import { readForm } from '../../platform/http/pages/form.ts'
import { isOwnForm } from '../../platform/http/pages/form-token.ts'
import { sendPage } from '../../platform/http/pages/page.ts'
import { languageOf } from '../../platform/http/pages/page-language.ts'
import { isUpload, takeUploads } from '../../platform/http/pages/upload.ts'
import { DOCUMENT_BYTES_MAX } from '../documents/onboarding-document.ts'
import { identified, identify } from './actions/identification-actions.ts'
import {
  confirmSummary,
  type SECTION_PAGES,
  type SectionPageName,
  saveSent,
  showSection,
  showSummary,
} from './actions/section-actions.ts'
import { changeAgain, makeLink, revokeLink, showSignatures, signHere } from './actions/signature-actions.ts'
import { addDocument, endDocuments, showDocuments } from './answer-documents.ts'
import { goOn, showElsewhere, showLeft, showResult, showStop, stop } from './answer-endings.ts'
import { refuseOwn, showOwn, showRefuse, signOwn } from './answer-signer.ts'
import { begin, showStart } from './answer-start.ts'
import { type Answer, type Asked, type FlowAddress, type FlowContext, findFlow, isHandingIn, mayRead } from './flow.ts'
import { textsIn } from './texts/texts-in.ts'
import { brokenPage, foreignPage, tooLargePage } from './views/status-pages.ts'

const FLOW = '/onboarding/:partnerId/:id'
const LINK = `${FLOW}/:token`
const OWN = `${FLOW}/signers/:signerId`
/** So that a file which is a little too large is told so beside the field, instead of being cut off. */
const UPLOAD_BYTES_MAX = 2 * DOCUMENT_BYTES_MAX
/** What people type; our own pages never send more. */
const FORM_BYTES_MAX = 64 * 1024

type Handler = (request: Asked, reply: FastifyReply) => Promise<FastifyReply>

/** Registers all pages. */
export function serveOnboardingPages(server: FastifyInstance, context: FlowContext): void {
  server.register(async (pages) => {
    pages.setErrorHandler((error, request, reply) => sendFault(context, error, request, reply))
    serveLinks(pages, context)
    servePages(pages, FLOW, pagesOf(context), (answer) => withFlow(context, answer, false))
    servePages(pages, OWN, ownPagesOf(context), (answer) => withFlow(context, answer, true))
    pages.register(async (uploads) => {
      takeUploads(uploads, UPLOAD_BYTES_MAX)
      const route = { onRequest: beforeUpload(context) }
      uploads.post<{ Params: FlowAddress }>(`${FLOW}/documents`, route, withFlow(context, addDocument(context), false))
    })
  })
}

type Pages = { readonly get: Readonly<Record<string, Answer>>; readonly post: Readonly<Record<string, Answer>> }

/** The pages of the company's people, by the last part of their addresses. */
function pagesOf(context: FlowContext): Pages {
  const names = ['company', 'owners', 'signers', 'terms'] as const satisfies (keyof typeof SECTION_PAGES)[]
  const sections = (answer: (context: FlowContext, name: SectionPageName) => Answer) =>
    Object.fromEntries(names.map((name) => [name, answer(context, name)]))
  return {
    get: {
      ...sections(showSection),
      summary: showSummary(context),
      signatures: showSignatures(context),
      documents: showDocuments(context),
      continue: goOn(context),
      elsewhere: showElsewhere(context),
      identified: identified(context),
      later: showLeft(),
      result: showResult(context),
      stop: showStop(),
    },
    post: {
      ...sections(saveSent),
      summary: confirmSummary(context),
      'signatures/change': changeAgain(context),
      'signatures/:signerId/sign': signHere(context),
      'signatures/:signerId/link': makeLink(context),
      'signatures/:signerId/ask': makeLink(context),
      'signatures/:signerId/revoke': revokeLink(context),
      'documents/done': endDocuments(context),
      identify: identify(context),
      stop: stop(context),
    },
  }
}

/** The pages of a signer who came by a link of their own. */
function ownPagesOf(context: FlowContext): Pages {
  return {
    get: { continue: showOwn(context), identified: identified(context), refuse: showRefuse(context) },
    post: { identify: identify(context), sign: signOwn(context), refuse: refuseOwn(context) },
  }
}

function serveLinks(server: FastifyInstance, context: FlowContext): void {
  server.get(LINK, unlessInPassing(showStart(context)))
  server.post(LINK, { bodyLimit: FORM_BYTES_MAX }, begin(context))
}

function servePages(
  server: FastifyInstance,
  place: string,
  { get, post }: Pages,
  by: (answer: Answer) => Handler,
): void {
  for (const [name, answer] of Object.entries(get)) {
    server.get(`${place}/${name}`, unlessInPassing(by(answer)))
  }
  for (const [name, answer] of Object.entries(post)) {
    server.post(`${place}/${name}`, { bodyLimit: FORM_BYTES_MAX }, by(answer))
  }
}

/** Finds the flow first. A form must have been made for this browser's session. */
function withFlow(context: FlowContext, answer: Answer, isSigners: boolean): Handler {
  return async (request, reply) => {
    const flow = await findFlow(context, request, isSigners)
    const body = isUpload(request.body) ? request.body.fields : request.body
    const isOwn = request.method !== 'POST' || isOwnForm(readForm(body).text, flow?.token)
    return flow === undefined || !isOwn
      ? sendPage(reply, foreignPage(textsIn(languageOf(request.headers))))
      : await answer(flow, request, reply)
  }
}

/** Nobody's megabytes are read who could not hand them in: whoever has no session, or is asked for nothing. */
function beforeUpload(context: FlowContext) {
  return async (request: Asked, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const flow = await findFlow(context, request, false)
    const isAsked = flow !== undefined && isHandingIn(flow.onboarding) && (await mayRead(context, flow))
    return isAsked
      ? undefined
      : sendPage(reply.header('connection', 'close'), foreignPage(textsIn(languageOf(request.headers))))
  }
}

/** What only looks in passing, for headers or ahead of time, changes nothing and is given nothing. */
function unlessInPassing<Request extends FastifyRequest>(
  handle: (request: Request, reply: FastifyReply) => Promise<FastifyReply>,
) {
  return async (request: Request, reply: FastifyReply): Promise<FastifyReply> =>
    isInPassing(request)
      ? reply
          .code(request.method === 'HEAD' ? 200 : 503)
          .header('cache-control', 'no-store')
          .send('')
      : await handle(request, reply)
}

/** A browser gets a page, never an envelope or a trace. */
function sendFault({ log }: Context, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const texts = textsIn(languageOf(request.headers))
  const { status } = renderFailure(asRefusal(error), request.id)
  if (status === 413) {
    return sendPage(reply, tooLargePage(texts, /^multipart\//.test(request.headers['content-type'] ?? '')))
  }
  if (status >= 500) {
    log.error({ requestId: request.id, route: request.routeOptions.url, error }, 'a page could not be shown')
  }
  return sendPage(reply, brokenPage(texts, status, request.id))
}
