/** Decodes and parses untrusted XML into the elements that are asked for, ignoring namespace prefixes. */
import { SaxesParser } from 'saxes'
import { decoderOf } from '../../transport/http-exchange.ts'

/** Longer than a declaration with all of its parts. */
const DECLARATION_BYTES_MAX = 200
const ENCODING = /^<\?xml\s[^>]*?\bencoding\s*=\s*["']([\w.-]+)["']/
/** A declaration that can be read as ASCII is in none of these, whatever it says. */
const WIDE = /^utf-16/

/** The text of a document, in the encoding of its declaration, or of a byte order mark; else in UTF-8. */
export function decodeXml(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, DECLARATION_BYTES_MAX)).toString('latin1')
  const [, label] = ENCODING.exec(start) ?? []
  const declared = label === undefined ? undefined : decoderNamed(label)
  const decoder = declared === undefined || WIDE.test(declared.encoding) ? decoderOf(bytes) : declared
  return decoder.decode(bytes)
}

/** Undefined for an encoding that is not known. */
function decoderNamed(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label)
  } catch {
    return undefined
  }
}

/** An element with its own text, and its children of the names asked for. */
export type XmlElement = { readonly name: string; readonly children: XmlElement[]; text: string }

export type XmlSelection = {
  /** Names of elements; those of any other name below the root are skipped with all that they contain. */
  readonly names: ReadonlySet<string>
  /** Called at the end of each element; those for which it returns true are not added to their parent. */
  readonly consume: (element: XmlElement) => boolean
}

/** The parser keeps positions for its errors, so that texts are cheaper in parts. */
const CHUNK_CHARACTERS = 65_536

/**
 * The root of a document; undefined where it is invalid or incomplete. Custom entities are not supported. What is skipped
 * or consumed needs no memory, whatever the length of the document.
 */
export function parseXmlRoot(text: string, selection: XmlSelection): XmlElement | undefined {
  try {
    return readElements(text, selection)
  } catch {
    return undefined
  }
}

function readElements(text: string, { names, consume }: XmlSelection): XmlElement | undefined {
  const parser = new SaxesParser()
  const open: XmlElement[] = []
  let root: XmlElement | undefined
  let skippedDepth = 0
  const addText = (part: string) => {
    const element = open.at(-1)
    if (element !== undefined && skippedDepth === 0) {
      element.text += part
    }
  }
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', (tag) => {
    const name = tag.name.slice(tag.name.indexOf(':') + 1)
    if (skippedDepth > 0 || (open.length > 0 && !names.has(name))) {
      skippedDepth += 1
    } else {
      open.push({ name, children: [], text: '' })
    }
  })
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', () => {
    if (skippedDepth > 0) {
      skippedDepth -= 1
      return
    }
    const element = open.pop()
    const parent = open.at(-1)
    if (element !== undefined && parent === undefined) {
      root = element
    } else if (element !== undefined && !consume(element)) {
      parent?.children.push(element)
    }
  })
  for (let first = 0; first < text.length; first += CHUNK_CHARACTERS) {
    parser.write(text.slice(first, first + CHUNK_CHARACTERS))
  }
  parser.close()
  return root
}

/** The direct children of a name, in order. */
export function childElements(element: XmlElement | undefined, name: string): readonly XmlElement[] {
  return element?.children.filter((child) => child.name === name) ?? []
}

/** The first element on a path of names. */
export function elementAt(element: XmlElement | undefined, ...path: readonly string[]): XmlElement | undefined {
  return path.reduce<XmlElement | undefined>((found, name) => childElements(found, name)[0], element)
}

/** Its trimmed text; null where it is empty. */
export function textAt(element: XmlElement | undefined, ...path: readonly string[]): string | null {
  return elementAt(element, ...path)?.text.trim() || null
}
