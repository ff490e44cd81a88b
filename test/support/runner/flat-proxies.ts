// The pool wraps the prototype of a Durable Object's class in another Proxy each time that it constructs one, so that calls take longer with
// each. One Proxy is equivalent: its trap reads from the receiver.
//
// Files that share a runtime each run this: only the first replaces `Proxy`, as every replacement would make all Proxies slower to construct.
const runtime = globalThis as { hasFlatProxies?: true }

if (!runtime.hasFlatProxies) {
  runtime.hasFlatProxies = true
  const trapOf = new WeakMap<object, string>()
  globalThis.Proxy = new Proxy(Proxy, {
    construct(target, [object, handler]: [object, ProxyHandler<object>]) {
      const trap = String(handler.get)
      if (!trap.includes('getUnknownPrototypeKey')) return new target(object, handler)
      if (trapOf.get(object) === trap) return object
      const proxy = new target(object, handler)
      trapOf.set(proxy, trap)
      return proxy
    },
  })
}
