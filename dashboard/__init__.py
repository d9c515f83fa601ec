"""The pages. `command` starts `server`; `sign_in` stands before it; `main` runs the views for each browser.

A view takes what it shows from the store by way of `context`, `facts` or `truth`,
makes `pictures` and `words` of it, and draws it with Streamlit and our own `components`.
"""
