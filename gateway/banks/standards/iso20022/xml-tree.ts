/** Parses untrusted XML and finds elements by name, ignoring namespace prefixes. */
import { parseXml, XmlElement } from '@rgrove/parse-xml'

/** The root of a document; undefined where it is invalid or incomplete. Custom entities are not supported. */
export function parseXmlRoot(text: string): XmlElement | undefined {
  try {
    return parseXml(text).root ?? undefined
  } catch {
    return undefined
  }
}

/** The direct children of a name, in order. */
export function childElements(element: XmlElement | undefined, name: string): readonly XmlElement[] {
  const children = element?.children ?? []
  return children.flatMap((child) => (child instanceof XmlElement && localName(child) === name ? [child] : []))
}

/** The first element on a path of names. */
export function elementAt(element: XmlElement | undefined, ...path: readonly string[]): XmlElement | undefined {
  return path.reduce<XmlElement | undefined>((found, name) => childElements(found, name)[0], element)
}

/** Its trimmed text; null where it is empty. */
export function textAt(element: XmlElement | undefined, ...path: readonly string[]): string | null {
  return elementAt(element, ...path)?.text.trim() || null
}

/** The name without prefix. */
function localName({ name }: XmlElement): string {
  return name.slice(name.indexOf(':') + 1)
}
