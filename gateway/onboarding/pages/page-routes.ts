/** Registers the routes of the hosted onboarding flow: links, pages and forms. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { textsIn } from '../../page-texts/page-texts.ts'
import { reserveLargeBody } from '../../platform/http/client-limits.ts'
import { beginErrorPage } from '../../platform/http/errors/framework-error.ts'
import { clientNetwork } from '../../platform/http/ip-address.ts'
import { parseFormFields } from '../../platform/http/pages/form.ts'
import { hasValidFormToken } from '../../platform/http/pages/form-token.ts'
import { answerDamagedLinks, unlessPrefetch } from '../../platform/http/pages/opened-link.ts'
import { sendPage } from '../../platform/http/pages/page.ts'
import { languageOf, storeChosenLanguage } from '../../platform/http/pages/page-language.ts'
import { isUpload, registerUploadParser } from '../../platform/http/pages/upload.ts'
import { openRateLimit } from '../../platform/http/rate-limit.ts'
import { DOCUMENT_BYTES_MAX } from '../store/onboarding-document.ts'
import { addDocument, showDocuments, submitDocuments } from './actions/document-actions.ts'
import { continueFlow, showCancel, showOtherBrowser, showResult, showSaved, stop } from './actions/flow-actions.ts'
import {
  confirmSummary,
  type SectionPageName,
  saveSubmittedSection,
  showSection,
  showSummary,
} from './actions/section-actions.ts'
import {
  createLink,
  reopenForChanges,
  revokeLinkOfSigner,
  showLinkInLanguage,
  showSignatures,
  startSignature,
} from './actions/signature-actions.ts'
import { declineAsSigner, showDecline, showSignerPage, signAsSigner } from './actions/signer-actions.ts'
import { identified, identify, showStart, startFlow } from './actions/start-actions.ts'
import {
  awaitsDocuments,
  type FlowAddress,
  type FlowHandler,
  type FlowRequest,
  findFlow,
  mayReadAnswers,
  redirectToPage,
} from './flow.ts'
import { errorPage, expiredFormPage, invalidLinkPage, tooLargePage } from './views/status-pages.ts'

const FLOW = '/onboarding/:partnerId/:id'
const LINK = `${FLOW}/:token`
const OWN = `${FLOW}/signers/:signerId`
/** Allows slightly too large files, so that the form can show the error instead of a failed request. */
const UPLOAD_BYTES_MAX = 2 * DOCUMENT_BYTES_MAX
/** Limit of form bodies; the hosted pages never send more. */
const FORM_BYTES_MAX = 64 * 1024
/** The holder of a link stores a session, answers, a signature or an audit entry with each form. */
const FORMS_PER_MINUTE = 120

type Handler = (request: FlowRequest, reply: FastifyReply) => Promise<FastifyReply>

export function serveOnboardingPages(server: FastifyInstance, context: Context): void {
  answerDamagedLinks(server, '/onboarding/', (request) => invalidLinkPage(textsIn(languageOf(request))))
  server.register(async (pages) => {
    pages.setErrorHandler((error, request, reply) => sendErrorPage(context, error, request, reply))
    limitForms(pages)
    storeChosenLanguage(pages, context.config.onboardingUrl.startsWith('https:'))
    serveLinks(pages, context)
    servePages(pages, FLOW, PAGES, (answer) => withFlow(context, answer, false))
    servePages(pages, OWN, SIGNER_PAGES, (answer) => withFlow(context, answer, true))
    pages.register(async (uploads) => {
      registerUploadParser(uploads)
      const route = { bodyLimit: UPLOAD_BYTES_MAX, onRequest: requireUploadAllowed(context) }
      uploads.post<{ Params: FlowAddress }>(`${FLOW}/documents`, route, withFlow(context, addDocument, false))
    })
  })
}

/** All forms of one onboarding together, those of its signers' links among them. */
function limitForms(server: FastifyInstance): void {
  const limitRate = openRateLimit({ max: FORMS_PER_MINUTE, windowSeconds: 60 })
  server.addHook('onRequest', async (request, reply) => {
    if (request.method === 'POST') {
      const { partnerId, id } = request.params as FlowAddress
      limitRate(request, reply, `${partnerId} ${id}`.toLowerCase())
    }
  })
}

type Pages = {
  readonly get: Readonly<Record<string, FlowHandler>>
  readonly post: Readonly<Record<string, FlowHandler>>
}

function ofSections(answer: (name: SectionPageName) => FlowHandler): Readonly<Record<SectionPageName, FlowHandler>> {
  return { company: answer('company'), owners: answer('owners'), signers: answer('signers'), terms: answer('terms') }
}

/** The pages of the company's users, by the last path segment. */
const PAGES: Pages = {
  get: {
    ...ofSections(showSection),
    summary: showSummary,
    signatures: showSignatures,
    documents: showDocuments,
    continue: continueFlow,
    elsewhere: showOtherBrowser,
    identified,
    later: showSaved,
    result: showResult,
    stop: showCancel,
  },
  post: {
    ...ofSections(saveSubmittedSection),
    summary: confirmSummary,
    'signatures/change': reopenForChanges,
    'signatures/:signerId/sign': startSignature,
    'signatures/:signerId/link': createLink,
    'signatures/:signerId/shown': showLinkInLanguage,
    'signatures/:signerId/ask': createLink,
    'signatures/:signerId/revoke': revokeLinkOfSigner,
    'documents/done': submitDocuments,
    identify,
    stop,
  },
}

/** The pages of a signer with a personal link. */
const SIGNER_PAGES: Pages = {
  get: { continue: showSignerPage, identified, refuse: showDecline },
  post: { identify, sign: signAsSigner, refuse: declineAsSigner },
}

function serveLinks(server: FastifyInstance, context: Context): void {
  server.get(LINK, unlessPrefetch(showStart(context)))
  server.post(LINK, { bodyLimit: FORM_BYTES_MAX }, startFlow(context))
}

function servePages(
  server: FastifyInstance,
  place: string,
  { get, post }: Pages,
  by: (answer: FlowHandler) => Handler,
): void {
  for (const [name, answer] of Object.entries(get)) {
    server.get(`${place}/${name}`, unlessPrefetch(by(answer)))
  }
  for (const [name, answer] of Object.entries(post)) {
    if (!(name in get)) {
      // A browser that reads the URL of a form, as when the language is changed on its result.
      server.get(`${place}/${name}`, unlessPrefetch(by(async (flow) => redirectToPage(flow))))
    }
    server.post(`${place}/${name}`, { bodyLimit: FORM_BYTES_MAX }, by(answer))
  }
}

/** Finds the flow first; forms must carry the token of this browser's session. */
function withFlow(context: Context, answer: FlowHandler, isSigners: boolean): Handler {
  return async (request, reply) => {
    const flow = await findFlow(context, request, reply, isSigners)
    const body = isUpload(request.body) ? request.body.fields : request.body
    const isOwn = request.method !== 'POST' || hasValidFormToken(parseFormFields(body).text, flow?.token)
    return flow === undefined || !isOwn
      ? sendPage(reply, expiredFormPage(textsIn(languageOf(request))))
      : await answer(flow)
  }
}

/** Rejects uploads before reading the body: without a session, or when no documents are requested. */
function requireUploadAllowed(context: Context) {
  return async (request: FlowRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const flow = await findFlow(context, request, reply, false)
    const isRequested = flow !== undefined && awaitsDocuments(flow.onboarding) && (await mayReadAnswers(flow))
    if (!isRequested) {
      return sendPage(reply.header('connection', 'close'), expiredFormPage(textsIn(languageOf(request))))
    }
    reserveLargeBody(request, clientNetwork(request.ip))
    return undefined
  }
}

/** Errors are shown as pages, not as JSON. */
function sendErrorPage({ log }: Context, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const texts = textsIn(languageOf(request))
  const status = beginErrorPage(log, error, request, reply)
  const isUploaded = /^multipart\//.test(request.headers['content-type'] ?? '')
  return sendPage(reply, status === 413 ? tooLargePage(texts, isUploaded) : errorPage(texts, status, request.id))
}
