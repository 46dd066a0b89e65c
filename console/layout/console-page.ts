/** Defines what the console answers with, and sends it: pages in one layout, redirects and files. */
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { sendRedirect } from '../../gateway/platform/http/pages/page.ts'
import type { Viewer } from '../access/viewer.ts'
import type { LivePart } from '../live/live-stream.ts'
import { COPY_SCRIPT_PATH, hasCopyButtons } from '../markup/copy/copy-button.ts'
import { renderLayout } from './layout.ts'

/** A page; its body is markup made with `html`, in which every value is escaped. */
export type ConsolePage = {
  readonly kind: 'page'
  readonly status?: number
  readonly title: string
  readonly body: string
  /** What was searched for, which the field in the header shows again. */
  readonly searched?: string
  /** Other origins that its forms may lead to: browsers apply form-action to redirects after a form, too. */
  readonly formTargets?: readonly string[]
  /** Paths of the scripts that it needs, without that of copy buttons; only ours can run. */
  readonly scripts?: readonly string[]
}

/** A file to download; of a long one the parts are made as fast as the client takes them. */
export type ConsoleFile = {
  readonly kind: 'file'
  readonly name: string
  readonly mediaType: string
  readonly content: string | Buffer | AsyncGenerator<string>
}

/** What a route answers with. */
export type ConsoleAnswer =
  | ConsolePage
  | { readonly kind: 'redirect'; readonly to: string }
  /** Streams a part of a page; its route is live. */
  | { readonly kind: 'live'; readonly part: LivePart }
  | ConsoleFile

/** No inline scripts and styles, nothing of other origins; no scripts at all on a page that names none. */
const policy = ({ formTargets = [], scripts = [] }: Partial<ConsolePage> = {}) =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    ...(scripts.length === 0 ? [] : ["script-src 'self'", "connect-src 'self'"]),
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')

const HEADERS = {
  'content-security-policy': policy(),
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
}

/** Whether a file is made while it is sent. */
export function isInParts(content: ConsoleFile['content']): content is AsyncGenerator<string> {
  return typeof content === 'object' && Symbol.asyncIterator in content
}

/** Live parts are streamed instead. */
export type SentAnswer = Exclude<ConsoleAnswer, { readonly kind: 'live' }>

/** Sends an answer; `viewer` is undefined for pages without a session. */
export function sendAnswer(reply: FastifyReply, answer: SentAnswer, viewer: Viewer | undefined): FastifyReply {
  switch (answer.kind) {
    case 'redirect':
      return sendRedirect(reply, answer.to)
    case 'file':
      return reply
        .headers({
          ...HEADERS,
          'content-type': answer.mediaType,
          'content-disposition': `attachment; filename="${answer.name}"`,
        })
        .send(isInParts(answer.content) ? Readable.from(answer.content) : answer.content)
    case 'page':
      return sendPage(reply, answer, viewer)
  }
}

function sendPage(reply: FastifyReply, page: ConsolePage, viewer: Viewer | undefined): FastifyReply {
  const copying = hasCopyButtons(page.body) ? [COPY_SCRIPT_PATH] : []
  const shown = { ...page, scripts: [...(page.scripts ?? []), ...copying] }
  return reply
    .code(page.status ?? 200)
    .headers({ ...HEADERS, 'content-security-policy': policy(shown), 'content-type': 'text/html; charset=utf-8' })
    .send(renderLayout(shown, viewer))
}
