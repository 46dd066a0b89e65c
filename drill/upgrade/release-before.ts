/** Finds the release before this checkout in the history of git, and makes a checkout of it that runs. */
import { mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { runProgram } from '../../setup/clients/run-program.ts'
import { ROOT } from '../../setup/source-files.ts'

type ReleaseBefore = { readonly revision: string; readonly why: string }

const MIGRATIONS = 'gateway/migrations'

/** Throws where git or the history of the clone is missing. */
export async function findReleaseBefore(requested: string | undefined, clone = ROOT): Promise<ReleaseBefore> {
  if ((await git(clone, 'rev-parse', '--is-inside-work-tree')) !== 'true') {
    throw new Error(
      `The release before comes from the history of git: ${clone} is not a clone, or git is not installed`,
    )
  }
  if (requested !== undefined) {
    return { revision: await commitOf(clone, requested), why: `--from ${requested}` }
  }
  const tag = await git(clone, 'describe', '--tags', '--match', 'v*', '--abbrev=0', 'HEAD^')
  if (tag !== '') {
    return { revision: await commitOf(clone, tag), why: `the newest tag before this commit is ${tag}` }
  }
  const draft = (await readdir(join(clone, MIGRATIONS))).filter((name) => name.endsWith('.sql'))
  const ours = new Set(await migrationsOf(clone, 'HEAD'))
  if (draft.length > ours.size) {
    return { revision: await commitOf(clone, 'HEAD'), why: `${draft.sort().at(-1)} is not committed yet` }
  }
  return await findUpgradable(clone, ours)
}

/** Until migrations are released they may get another number: a database that has one of the former cannot be upgraded. */
async function findUpgradable(clone: string, ours: ReadonlySet<string>): Promise<ReleaseBefore> {
  for (const commit of await gitLines(clone, 'log', '--format=%H', '--', MIGRATIONS)) {
    const revision = await commitOf(clone, `${commit}^`)
    const theirs = await migrationsOf(clone, revision)
    if (theirs.length < ours.size && theirs.every((migration) => ours.has(migration))) {
      return { revision, why: 'no release is tagged, and this checkout has all of its migrations and more' }
    }
  }
  throw new Error('No commit has fewer migrations than this checkout; name a revision with --from')
}

/** Each with the hash of its content. */
async function migrationsOf(clone: string, revision: string): Promise<readonly string[]> {
  return (await gitLines(clone, 'ls-tree', revision, `${MIGRATIONS}/`)).filter((line) => line.endsWith('.sql'))
}

/** Extracts the revision, with the packages that it needs. */
export async function createReleaseBefore(revision: string, folder: string): Promise<void> {
  await mkdir(folder)
  const archive = join(folder, '..', 'release-before.tar')
  await runProgram('git', ['archive', '--output', archive, revision], { folder: ROOT })
  await runProgram('tar', ['-xf', archive, '-C', folder], { folder: ROOT })
  if ((await productionPackages(ROOT)) === (await productionPackages(folder))) {
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  } else {
    console.log('Its packages are others than those of this checkout: installing them …')
    await runProgram('npm', ['ci', '--omit=dev', '--include=optional', '--no-audit', '--no-fund'], { folder })
  }
}

async function commitOf(clone: string, name: string): Promise<string> {
  const commit = await git(clone, 'rev-parse', '--verify', '--quiet', `${name}^{commit}`)
  if (commit === '') {
    const isShallow = (await git(clone, 'rev-parse', '--is-shallow-repository')) === 'true'
    const hint = isShallow ? 'this clone is shallow: git fetch --unshallow --tags' : 'name another revision with --from'
    throw new Error(`git does not know the commit ${name}; ${hint}`)
  }
  return commit
}

/** The first line that git prints; empty where it fails. */
async function git(clone: string, ...words: readonly string[]): Promise<string> {
  return (await gitLines(clone, ...words))[0] ?? ''
}

/** None where it fails. */
async function gitLines(clone: string, ...words: readonly string[]): Promise<readonly string[]> {
  const printed = await runProgram('git', words, { folder: clone }).catch(() => '')
  return printed.split('\n').filter((line) => line !== '')
}

type Locked = { readonly dev?: boolean; readonly version?: string; readonly integrity?: string }

/** The packages that run, as text to compare: those for development differ without effect. */
async function productionPackages(folder: string): Promise<string> {
  const { packages } = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, Locked>>
  }
  const ran = Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true)
  return ran.map(([path, { version, integrity }]) => `${path} ${version} ${integrity}`).join('\n')
}
