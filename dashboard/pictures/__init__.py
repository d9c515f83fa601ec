"""What is drawn, as data for Plotly, Graphviz and the query component: pure functions, no Streamlit."""
