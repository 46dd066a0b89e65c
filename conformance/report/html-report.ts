/** Renders a run as one HTML file without scripts: a summary, and each check with what a failed one sent and received. */
import { readFileSync } from 'node:fs'
import { html } from 'ghtml'
import type { CheckResult } from '../check.ts'
import { type Answer, maskHeader, maskText } from '../http/exchange.ts'
import type { ConformanceRun } from '../run/run-conformance.ts'
import { countStatuses, type GroupSummary, isConformant, summariseGroups } from './summary.ts'

const STYLES = readFileSync(new URL('html-report.css', import.meta.url), 'utf8')
const EXCHANGES_SHOWN_MAX = 20
const BODY_CHARACTERS_MAX = 4_000
const WORDS = { passed: 'Passed', failed: 'Failed', skipped: 'Skipped' } as const

/** The whole document; `startedAt` is ISO 8601. */
export function htmlReport(run: ConformanceRun, startedAt: string): string {
  const { passed, failed, skipped } = countStatuses(run.results)
  const groups = summariseGroups(run)
  const failures = run.results.filter(({ status }) => status === 'failed')
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Conformance report: ${run.target.baseUrl}</title>
<style>!${STYLES}</style>
</head>
<body>
<header>
<h1>Conformance report</h1>
<p class="${isConformant(run) ? 'passed' : 'failed'} outcome">${isConformant(run) ? 'The server conforms' : 'The server does not conform'}</p>
<dl>
<div><dt>Server</dt><dd>${run.target.baseUrl}</dd></div>
<div><dt>Environment</dt><dd>${run.target.isSandbox ? 'sandbox' : 'without the operations of a sandbox'}</dd></div>
<div><dt>Started</dt><dd><time datetime="${startedAt}">${startedAt}</time></dd></div>
<div><dt>Checks</dt><dd>${passed} passed, ${failed} failed, ${skipped} skipped</dd></div>
</dl>
<nav aria-label="Groups"><ul>!${groups.map(groupLink).join('')}</ul></nav>
</header>
<main>
!${failures.length === 0 ? '' : html`<section><h2 id="failed">Failed checks</h2>!${failures.map((result) => check(result, 'failed-')).join('')}</section>`}
!${groups.map(groupSection).join('')}
</main>
</body>
</html>
`
}

function groupLink({ group, results, counts: { failed, passed } }: GroupSummary): string {
  const state = failed > 0 ? 'failed' : passed > 0 ? 'passed' : 'skipped'
  return html`<li><a class="${state}" href="#${group.id}">${group.title} <span>${passed}/${results.length}</span></a></li>`
}

function groupSection({ group, results }: GroupSummary): string {
  return html`<section><h2 id="${group.id}">${group.title}</h2>!${results.map((result) => check(result, '')).join('')}</section>`
}

/** A failed check is shown twice: first of all, and in its group, where it refers to the former. */
function check(result: CheckResult, prefix: string): string {
  const { check: of, status, problems, milliseconds, answers } = result
  const isDetailed = status === 'failed' && prefix !== ''
  const refersUp = status === 'failed' && prefix === ''
  return html`<details id="${prefix}${of.id}" class="${status}"!${isDetailed ? ' open' : ''}>
<summary><span class="status">${WORDS[status]}</span> <span class="title">${of.title}</span> <code>${of.id}</code></summary>
<p>${of.rule}</p>
<p class="reference">${of.reference} · ${Math.round(milliseconds)} ms · ${answers.length} ${answers.length === 1 ? 'request' : 'requests'}</p>
!${problems.length === 0 ? '' : html`<ul class="problems">!${problems.map((problem) => html`<li>${problem}</li>`).join('')}</ul>`}
!${refersUp ? html`<p><a href="#failed-${of.id}">Requests and responses</a></p>` : ''}
!${isDetailed ? exchanges(answers) : ''}
</details>`
}

/** The newest requests: the last one is usually the one that failed. */
function exchanges(answers: readonly Answer[]): string {
  const shown = answers.slice(-EXCHANGES_SHOWN_MAX)
  const omitted = answers.length - shown.length
  const note = omitted > 0 ? html`<p class="reference">${omitted} earlier requests are not shown.</p>` : ''
  return `${note}${shown.map(exchange).join('')}`
}

function exchange({ request, status, headers, text }: Answer): string {
  const sent = Object.entries(request.headers).map(([name, value]) => `${name}: ${maskHeader(name, value)}`)
  const received = [...headers].map(([name, value]) => `${name}: ${maskHeader(name, value)}`)
  return html`<details class="exchange">
<summary><code>${request.method} ${maskText(new URL(request.url).pathname + new URL(request.url).search)}</code> <span class="code">${status}</span></summary>
<h3>Request</h3><pre tabindex="0">${sent.join('\n')}${shownBody(request.text)}</pre>
<h3>Response</h3><pre tabindex="0">${[status, ...received].join('\n')}${shownBody(text)}</pre>
</details>`
}

function shownBody(text: string): string {
  const masked = maskText(indented(text))
  const cut = masked.length > BODY_CHARACTERS_MAX ? `${masked.slice(0, BODY_CHARACTERS_MAX)}\n…` : masked
  return cut === '' ? '' : `\n\n${cut}`
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
