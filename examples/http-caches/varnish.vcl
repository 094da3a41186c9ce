vcl 4.1;

import std;

# The public listener of Bindery. Its own pages are not asked for by the probe: any answer of the listener will do.
backend bindery {
  .host = "127.0.0.1";
  .port = "3001";
  .probe = {
    .url = "/robots.txt";
    .interval = 2s;
    .timeout = 1s;
    .window = 3;
    .threshold = 2;
    .initial = 2;
  }
}

# The servers that SHARED_CACHE_PURGE is set on.
acl purgers {
  "127.0.0.1";
}

sub vcl_recv {
  if (req.method == "PURGE") {
    if (client.ip !~ purgers) {
      return (synth(403));
    }
    if (req.http.Surrogate-Key !~ "^[A-Za-z0-9 -]+$") {
      return (synth(400));
    }
    ban("obj.http.Surrogate-Key ~ (^|\s)(" + regsuball(req.http.Surrogate-Key, " ", "|") + ")(\s|$)");
    return (synth(200));
  }
  if ((req.method != "GET" && req.method != "HEAD") || req.url ~ "/~gitbook/mcp") {
    return (pass);
  }
  # Visitors who are known, and previews: nobody else may get what they get.
  if (req.http.Cookie ~ "(^|;\s*)(gitbook-|bindery-preview)" || req.http.Authorization) {
    return (pass);
  }
  unset req.http.Cookie;
  # A page has three forms; browsers say which one in many words.
  if (req.http.Accept !~ "^(application/json|text/markdown)") {
    set req.http.Accept = "text/html";
  } else {
    set req.http.Accept = regsub(req.http.Accept, "[,;].*$", "");
  }
  # While the service is there, what is over is sent for no longer than it takes to ask for it.
  if (std.healthy(req.backend_hint)) {
    set req.grace = 30s;
  }
  return (hash);
}

sub vcl_hash {
  hash_data(req.http.X-Forwarded-Proto);
}

sub vcl_backend_response {
  if (beresp.http.Cache-Control ~ "(s-maxage|max-age=[1-9]).*stale-if-error=[0-9]+") {
    set beresp.grace = std.duration(regsub(beresp.http.Cache-Control, "^.*stale-if-error=([0-9]+).*$", "\1s"), 0s);
  } elsif (beresp.http.Cache-Control !~ "^public, max-age=[1-9]") {
    # Whatever else is not there to be kept is asked for by each reader alone.
    set beresp.uncacheable = true;
    set beresp.ttl = 120s;
  }
  if (beresp.status >= 500 && bereq.is_bgfetch) {
    return (abandon);
  }
}

sub vcl_deliver {
  # Tags are for caches, and browsers ask each time.
  unset resp.http.Surrogate-Key;
  unset resp.http.Cache-Tag;
  if (resp.http.Cache-Control ~ "s-maxage") {
    set resp.http.Cache-Control = "public, no-cache";
  }
}
