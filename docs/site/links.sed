# The names of pages in comments of headers become links. The name of a page of the site: pages.py, page_id().
s,docs/([a-z-]+)/([a-z-]+)\.md,<a href="docs-\1-\2.html">&</a>,g
s,(^|[^/">])docs/([a-z-]+)\.md,\1<a href="docs-\2.html">docs/\2.md</a>,g
