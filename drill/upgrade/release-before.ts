/** Finds the release before this checkout in the history of git, and makes a checkout of it that runs. */
import { mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { runProgram } from '../../setup/clients/run-program.ts'
import { ROOT } from '../../setup/source-files.ts'

/** A commit, and why it counts as the release before. */
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
  const migrations = (await readdir(join(clone, MIGRATIONS))).filter((name) => name.endsWith('.sql')).sort()
  const newest = migrations.at(-1) ?? ''
  const added = await git(clone, 'log', '-1', '--diff-filter=A', '--format=%H', '--', `${MIGRATIONS}/${newest}`)
  if (added === '') {
    return { revision: await commitOf(clone, 'HEAD'), why: `${newest} is not committed yet` }
  }
  const why = `no release is tagged, and the next commit added ${newest}`
  return { revision: await commitOf(clone, `${added}^`), why }
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
  const printed = await runProgram('git', words, { folder: clone }).catch(() => '')
  return printed.split('\n')[0] ?? ''
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
