/** Counts what the sources show without running them: lines, files, folders that import each other, spellings. */
import { dirname } from 'node:path'
import type { SourceFile } from '../source-files.ts'

/** A figure of the structure, by its name. */
export type Figures = ReadonlyMap<string, number | string>

const TEST_SUPPORT = /(^|\/)(testing|journeys|generated|patterns)\//
const ORDER_MODULES = /^gateway\/(orders|payments|payrolls|approvals|cancellations)\//
const KIND_FOLDERS = /^gateway\/(payments|payrolls|orders\/parse)\//
/** The declared type of a parameter or member named `context`, up to what follows it on its line. */
const CONTEXT_TYPE = /\bcontext: ((?:[^,(){}<>;=\n]|<[^>\n]*>|\{ readonly [^}]*\})+)/g
/** A branch whose condition names payrolls: `if`, a conditional expression, or a short circuit. */
const PAYROLL_BRANCH =
  /^\s*(?:\} else )?if \(.*payroll|[\w)\]'] \? .*payroll|payroll\w* (?:[!=]==|&&)|payroll[\w.]*\)? \? |'payrolls?' (?:\?|&&)/i
/** A condition on the end of a lease, which `jobs/lease.ts` spells for all. */
const LEASE_CONDITION = /lease_until (?:is null|<|>)/
const JOBS = 'gateway/platform/jobs/'
const FOR_LOOP = /^( *)for (?:await )?\(.*\{$/
const PAUSE = /\b(?:pause|sleep|delay|setTimeout)\(/

/** The sources that ship: no tests, nothing that only tests use, nothing generated. */
export function shippedSources(all: readonly SourceFile[]): readonly SourceFile[] {
  return all.filter(({ path, isTest }) => !isTest && !TEST_SUPPORT.test(path))
}

export function countSources(all: readonly SourceFile[]): Figures {
  const sources = shippedSources(all)
  const gateway = sources.filter(({ path }) => path.startsWith('gateway/'))
  const orders = sources.filter(({ path }) => ORDER_MODULES.test(path))
  const pairs = mutualFolders(sources)
  return new Map([
    ['source lines', linesOf(sources)],
    ['source files', sources.length],
    ['lines of tests and their fixtures', linesOf(all) - linesOf(sources)],
    ['lines of orders, payments, payrolls, approvals, cancellations', linesOf(orders)],
    ['files of these', orders.length],
    ['pairs of sibling folders that import each other', pairs.length],
    ['of these, in the gateway', pairs.filter((pair) => pair.startsWith('gateway/')).length],
    ['spellings of the type of a context', contextTypes(sources).size],
    ['branches on payrolls outside the modules of the kinds', payrollBranches(gateway)],
    ['kinds of lease', 1 + gateway.filter(spellsOwnLease).length],
    ['waiting loops in the gateway', gateway.reduce((sum, { text }) => sum + waitingLoops(text), 0)],
    ['files that name the zone of Oslo outside the countries', gateway.filter(namesOslo).length],
  ])
}

/** Pairs of folders with the same parent whose files import each other, as `parent: first, second`. */
export function mutualFolders(sources: readonly SourceFile[]): readonly string[] {
  const edges = new Set<string>()
  for (const { path, imports } of sources) {
    for (const { kind, name } of imports) {
      const edge = kind === 'file' ? siblingEdge(dirname(path), dirname(name)) : undefined
      if (edge !== undefined) {
        edges.add(edge.join(' '))
      }
    }
  }
  return [...edges]
    .map((edge) => edge.split(' '))
    .filter(([parent = '', from = '', to = '']) => from < to && edges.has([parent, to, from].join(' ')))
    .map(([parent, from, to]) => `${parent}: ${from}, ${to}`)
    .sort()
}

/** The folder below which two folders part, and the two siblings; undefined where one holds the other. */
function siblingEdge(from: string, to: string): readonly [string, string, string] | undefined {
  const [left, right] = [from.split('/'), to.split('/')]
  const at = left.findIndex((name, position) => name !== right[position])
  const [first, second] = [left[at], right[at]]
  return at < 0 || first === undefined || second === undefined
    ? undefined
    : [left.slice(0, at).join('/') || '.', first, second]
}

function contextTypes(sources: readonly SourceFile[]): ReadonlySet<string> {
  return new Set(
    sources
      .flatMap(({ text }) => [...text.matchAll(CONTEXT_TYPE)].map(([, type = '']) => type.trim()))
      .filter((text) => /^(\{ readonly|[A-Z])/.test(text)),
  )
}

function payrollBranches(gateway: readonly SourceFile[]): number {
  return gateway
    .filter(({ path }) => !KIND_FOLDERS.test(path))
    .flatMap(({ text }) => text.split('\n').filter((line) => PAYROLL_BRANCH.test(line))).length
}

/**
 * Loops that pause between their rounds until something has happened elsewhere. Those that retry what failed catch an error;
 * those of workers and queues are `while` loops.
 */
function waitingLoops(text: string): number {
  const lines = text.split('\n')
  return lines.filter((line, at) => {
    const indent = FOR_LOOP.exec(line)?.[1]
    const after = lines.slice(at + 1)
    const body = after.slice(0, indent === undefined ? 0 : after.indexOf(`${indent}}`)).join('\n')
    return PAUSE.test(body) && !body.includes('catch (')
  }).length
}

function spellsOwnLease({ path, text }: SourceFile): boolean {
  return !path.startsWith(JOBS) && LEASE_CONDITION.test(text)
}

function namesOslo({ path, text }: SourceFile): boolean {
  return !path.startsWith('gateway/countries/') && text.includes("'Europe/Oslo'")
}

function linesOf(files: readonly SourceFile[]): number {
  return files.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0)
}
