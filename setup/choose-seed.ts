/** Chooses the seed that every property of a run of all tests begins with, so that what a run tried can be tried again. */
import { execFileSync } from 'node:child_process'

/** Hexadecimal digits of a commit's name that make a seed of 28 bits. */
const DIGITS = 7

/**
 * The one asked for by `HAVN_SEED`. In CI the commit's own: the same commit is tried the same way wherever it is checked,
 * and the next one another way. Otherwise any.
 */
export function chooseSeed(environment: NodeJS.ProcessEnv, root: string): string {
  const commit = environment['CI'] === undefined ? undefined : commitOf(root)
  return environment['HAVN_SEED'] ?? String(commit ?? Math.floor(Math.random() * 16 ** DIGITS))
}

/** Undefined where the code is in no repository. */
function commitOf(root: string): number | undefined {
  try {
    const name = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] })
    return Number.parseInt(name.toString().slice(0, DIGITS), 16)
  } catch {
    return undefined
  }
}
